import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { join } from 'node:path';

/** Embedded stores that tests copy: an initdb takes seconds, a copy milliseconds. */
export type StoreTemplate = 'empty-postgres' | 'postgres' | 'clickhouse';

const variable = 'SPANWISE_TEST_TEMPLATES';
const root = join(import.meta.dirname, '../..');
const cache = join(root, 'node_modules/.cache/spanwise-test-stores');
const unusedMs = 86_400_000;

/** Inputs of the templates: the migrations, the code that applies them, and the versions of both engines. */
const sources = ['migrations/*/*.sql', 'src/platform/{postgres,clickhouse,files}/*.ts', 'package-lock.json'];

/** Finds or creates the templates of the current sources (vitest's global set-up). They are kept for the next run. */
export default function prepareStoreTemplates(): void {
  const directory = join(cache, keyOf(sources));
  if (!existsSync(directory)) make(directory);
  const now = new Date();
  utimesSync(directory, now, now);
  process.env[variable] = directory;
}

function keyOf(patterns: readonly string[]): string {
  const hash = createHash('sha256');
  for (const path of globSync([...patterns], { cwd: root }).toSorted()) {
    if (/\.(?:test|fixture)\.ts$/.test(path)) continue;
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update('\0');
  }
  return hash.digest('hex').slice(0, 16);
}

/** Creates the templates in a temporary directory and renames it: another run may do the same concurrently. */
function make(directory: string): void {
  mkdirSync(cache, { recursive: true });
  for (const name of globSync('*', { cwd: cache })) {
    const path = join(cache, name);
    if (Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) > unusedMs)
      rmSync(path, { recursive: true, force: true });
  }
  const unfinished = mkdtempSync(join(cache, 'unfinished-'));
  const program = join(import.meta.dirname, 'make-store-templates.ts');
  const { status } = spawnSync(process.execPath, [program, unfinished], { stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) throw new Error(`the templates of the test stores could not be made (${status})`);
  try {
    renameSync(unfinished, directory);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    if (!existsSync(directory)) throw error;
  }
}

/** Copies a template to a directory that does not exist yet. `empty-postgres` has no table; the other two are migrated. */
export function copyStore(template: StoreTemplate, directory: string): void {
  const templates = process.env[variable];
  if (templates === undefined) throw new Error(`${variable} is not set: run vitest with a configuration of this repository`);
  cpSync(join(templates, template), directory, { recursive: true, verbatimSymlinks: true, errorOnExist: true });
}

/** Whether this process has templates: a run of vitest does, a program does not. */
export const hasStoreTemplates = (): boolean => process.env[variable] !== undefined;

/** Puts both migrated stores into the data directory of a service that has never run: its start creates and migrates nothing. */
export function copyStores(dataDirectory: string): void {
  copyStore('postgres', join(dataDirectory, 'postgres'));
  copyStore('clickhouse', join(dataDirectory, 'clickhouse'));
}
