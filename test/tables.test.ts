import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { readSourceTree } from './support/source-tree.ts';
import { openTestPostgres } from './support/test-postgres.ts';

// `Tables` of src/platform/postgres against the database. The compiler alone knows the type, so it checks a file that is written from the database.

const root = join(import.meta.dirname, '..');
const run = promisify(execFile);

/** Tables that are read and written by SQL texts alone. */
const undeclared: readonly string[] = [
  'audit_entries',
  'audit_heads',
  'backup_runs',
  'counted_bodies',
  'day_states',
  'graph_backfills',
  'hour_states',
  'installation',
  'mail_recipients',
  'rate_buckets',
  'schema_migrations',
  'trace_notes',
];

interface ColumnRow {
  table: string;
  column: string;
  nullable: boolean;
  isView: boolean;
}

async function readColumns(): Promise<ColumnRow[]> {
  const { postgres, close } = await openTestPostgres();
  try {
    const { rows } =
      await sql<ColumnRow>`SELECT c.table_name AS "table", c.column_name AS "column", c.is_nullable = 'YES' AS nullable,
        t.table_type = 'VIEW' AS "isView"
      FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
      WHERE c.table_schema = 'public' ORDER BY c.table_name, c.ordinal_position`.execute(postgres.db);
    return rows;
  } finally {
    await close();
  }
}

/** What PostgreSQL says of a column. It does not say of a view's columns whether they may be null. */
const shapeOf = ({ column, nullable, isView }: ColumnRow) =>
  `${column}: ${isView ? `'null' | 'not null'` : nullable ? `'null'` : `'not null'`}`;

/** A line for each table, which the compiler takes where the table is declared as it is. */
function assertions(columns: readonly ColumnRow[]): string[] {
  const tables = Map.groupBy(columns, ({ table }) => table);
  const declared = [...tables].filter(([table]) => !undeclared.includes(table));
  return [
    `import type { Declared, NoOthers } from '${join(root, 'test/support/table-shape.ts')}';`,
    ...declared.map(([table, own]) => `export const ${table}: Declared<'${table}', { ${own.map(shapeOf).join('; ')} }> = true;`),
    `export const others: NoOthers<${declared.map(([table]) => `'${table}'`).join(' | ')}> = true;`,
  ];
}

const declaring = [...readSourceTree('src')].flatMap(([path, text]) =>
  /^ {2}interface Tables extends/m.test(text) ? [path] : [],
);

/** What the compiler says of each line that it does not take. */
async function compile(lines: readonly string[]): Promise<string[]> {
  const directory = await mkdtemp(join(tmpdir(), 'spanwise-tables-'));
  try {
    const compilerOptions = { incremental: false, noErrorTruncation: true, typeRoots: [join(root, 'node_modules/@types')] };
    const include = ['assertions.mts', ...declaring.map((path) => join(root, path))];
    await writeFile(
      join(directory, 'tsconfig.json'),
      JSON.stringify({ extends: join(root, 'tsconfig.json'), compilerOptions, include }),
    );
    await writeFile(join(directory, 'assertions.mts'), lines.join('\n'));
    const compiler = join(root, 'node_modules/typescript/bin/tsc');
    const { stdout } = await run(process.execPath, [compiler, '-p', directory, '--pretty', 'false']).catch(
      (error: unknown) => error as { stdout: string },
    );
    const failed = stdout.matchAll(/assertions\.mts\((\d+),\d+\): error TS\d+: (.*)/g);
    return [...failed].map(
      ([, line, message]) => `${lines[Number(line) - 1]?.replace(/^export const (\w+).*/, '$1')}: ${message}`,
    );
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

test('every table is declared with its columns, and which of them may be null', async () => {
  const planted = `export const planted: Declared<'lifecycle_scans', { project_id: 'null'; more: 'null' }> = true;`;
  const problems = await compile([...assertions(await readColumns()), planted]);
  const found = ['project_id is declared not null', 'more is not declared', 'scanned_at is no column'];
  expect(problems).toEqual([expect.stringMatching(/^planted: /)]);
  for (const one of found) expect(problems[0]).toContain(one);
});
