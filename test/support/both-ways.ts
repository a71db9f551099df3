// Each distinct read of the tests runs a second time with its parameters bound by the engine, as over HTTP, and must return the same rows as with literals in its text
// (src/platform/clickhouse/with-literals.ts). So `npm test` proves the statements of both modes, and `npm run test:servers` only the transport.
import { createHash } from 'node:crypto';
import { closeSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { observedReads } from '../../src/platform/clickhouse/index.ts';
import { comparedReads } from './compared-reads.ts';
import type { ObservedRead } from '../../src/platform/clickhouse/index.ts';

/** A file for each shape of statement that was compared in this run. */
const compared = process.env[comparedReads] ?? '';

// Test files share a process.
if (!observedReads.hasSubscribers) observedReads.subscribe((read) => compareOnce(read as ObservedRead));

function compareOnce(read: ObservedRead): void {
  // The engine's own tests read millions of generated rows, and statements that fail.
  const values = Object.values(read.parameters);
  if (values.length === 0 || values.some(isRefused) || expect.getState().testPath?.includes('/platform/clickhouse/')) return;
  const shape = createHash('sha1')
    .update(read.sql.replaceAll(/\/\* .*? \*\/|'[^']*'|\b\d+\b/g, ''))
    .digest('hex');
  const marker = join(compared, shape);
  if (!isNew(marker)) return;
  read.alongside.push(
    compare(read).then((isConclusive) => {
      if (!isConclusive && !isTriedOften(shape)) rmSync(marker, { force: true });
    }),
  );
}

/** Attempts in this process at a statement that returned nothing, or whose rows changed meanwhile. */
const attempts = new Map<string, number>();
const maxAttempts = 5;

function isTriedOften(shape: string): boolean {
  const made = (attempts.get(shape) ?? 0) + 1;
  attempts.set(shape, made);
  return made >= maxAttempts;
}

/** Whether no process of this run has compared the statement. */
function isNew(marker: string): boolean {
  try {
    closeSync(openSync(marker, 'wx'));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  }
}

/** chDB's client binds no whole number beyond 2^53, which HTTP does. */
function isRefused(value: unknown): boolean {
  return typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value);
}

/** Resolves with whether there were rows, which did not change meanwhile. Errors: when both ways return different ones. */
async function compare({ sql, again }: ObservedRead): Promise<boolean> {
  const literals = sorted(await again('literals'));
  const bound = sorted(await again('bound'));
  if (bound === literals) return literals !== '';
  if (literals !== sorted(await again('literals'))) return false;
  throw new Error(`with bound parameters other rows are returned:\n${sql}\n${literals}\n${bound}`);
}

/** Lines in one order: without ORDER BY the engine returns any. */
function sorted(lines: string): string {
  return lines.split('\n').toSorted().join('\n');
}
