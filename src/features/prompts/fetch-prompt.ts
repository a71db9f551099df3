import { createHash } from 'node:crypto';
import type { PromptVersion } from '../../contract/prompts.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { CachedAnswer } from './prompt-cache.ts';
import type { PromptsContext } from './prompts-context.ts';
import { PromptResolver, ResolutionError } from './resolve-prompt.ts';
import { sourceReader } from './source-reader.ts';
import { findVersion, versionRecord } from './version-store.ts';

/** Selects a version by number or by label; with neither, the label `production`, or else `latest`. */
export interface Selection {
  name: string;
  version?: number | undefined;
  label?: string | undefined;
}

/**
 * One version of a prompt as bytes with a strong ETag over them (docs/semantics.md, "Fetching a prompt"). The answer is cached.
 *
 * @param asked cache key of the selection: equal keys mean equal selections
 * Errors: `not_found`; `conflict` when its references can no longer be resolved.
 */
export async function fetchPrompt(
  context: Pick<PromptsContext, 'db' | 'cache'>,
  projectId: string,
  selection: Selection,
  asked: string,
): Promise<CachedAnswer> {
  const answer = await context.cache.load(projectId, asked, async () => {
    const record = await readRecord(context, projectId, selection);
    return record && answerOf(record);
  });
  return answer ?? noVersion(selection);
}

/** Throws the error for a selection without a version. */
export function noVersion(selection: Selection): never {
  throw new ServiceError('not_found', `There is no such prompt${named(selection)}; GET /v1/prompts lists what there is.`);
}

function named({ version, label }: Selection): string {
  if (version !== undefined) return ' version';
  return label === undefined ? '' : ', or the label sits on none of its versions';
}

/** The selected version; null when there is none. Errors: `conflict` when its references can no longer be resolved. */
export async function readRecord(
  { db }: Pick<PromptsContext, 'db'>,
  projectId: string,
  { name, version, label }: Selection,
): Promise<PromptVersion | null> {
  const row = await findVersion(db, projectId, { name, version: version ?? null, label: label ?? null });
  if (!row) return null;
  try {
    const { resolved } = await new PromptResolver(sourceReader(db, projectId)).resolve(row);
    return versionRecord(row, resolved);
  } catch (error) {
    if (!(error instanceof ResolutionError)) throw error;
    // Never return a prompt with unresolved references.
    throw new ServiceError('conflict', `Version ${row.version} of this prompt cannot be resolved just now. ${error.message}`);
  }
}

/** An answer as bytes with a strong ETag over them. */
export function answerOf(answer: object): CachedAnswer {
  const body = Buffer.from(JSON.stringify(answer));
  return { body, etag: `"${createHash('sha256').update(body).digest('base64url')}"` };
}
