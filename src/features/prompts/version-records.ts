import { setImmediate as turn } from 'node:timers/promises';
import type { PromptVersion } from '../../contract/prompts.ts';
import { PromptResolver, ResolutionError } from './resolve-prompt.ts';
import { sourceReader } from './source-reader.ts';
import { readVersions, versionRecord } from './version-store.ts';
import type { VersionRow } from './version-store.ts';
import type { Database } from '../../platform/postgres/index.ts';

/** A version of a list; `bytes` is the size of its prompt and configuration. */
export interface ListedVersion {
  id: string;
  bytes: number;
}

/** Maximum bytes of prompts in one answer, for the stored and the resolved texts each; the last one or two versions may exceed it. */
const maxAnswerBytes = 16 * 1_048_576;

/**
 * The records of versions in order, as many as fit in one answer, but at least one. The record of a prompt that cannot be resolved contains
 * the reason.
 */
export async function versionRecords(
  db: Database,
  projectId: string,
  listed: readonly ListedVersion[],
): Promise<PromptVersion[]> {
  return resolvedRecords(new PromptResolver(sourceReader(db, projectId)), await readVersions(db, fitting(listed)));
}

/** The records of the first versions that fit in one answer. Yields to the event loop after each. */
export async function resolvedRecords(resolver: PromptResolver, rows: readonly VersionRow[]): Promise<PromptVersion[]> {
  const records: PromptVersion[] = [];
  let bytes = 0;
  for (const row of rows) {
    const outcome = await resolver.resolve(row).catch((error: unknown) => {
      if (error instanceof ResolutionError) return error;
      throw error;
    });
    records.push(
      outcome instanceof ResolutionError ? versionRecord(row, null, outcome.message) : versionRecord(row, outcome.resolved),
    );
    if (!(outcome instanceof ResolutionError)) bytes += sizeOf(outcome.resolved);
    if (bytes > maxAnswerBytes) break;
    await turn();
  }
  return records;
}

function fitting(listed: readonly ListedVersion[]): string[] {
  const ids: string[] = [];
  let bytes = 0;
  for (const version of listed) {
    bytes += version.bytes;
    if (ids.length > 0 && bytes > maxAnswerBytes) break;
    ids.push(version.id);
  }
  return ids;
}

function sizeOf(resolved: string | unknown[]): number {
  return typeof resolved === 'string' ? resolved.length : JSON.stringify(resolved).length;
}
