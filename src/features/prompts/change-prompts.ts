import { sql } from 'kysely';
import { promptsChannel } from './prompt-cache.ts';
import type { PromptsContext } from './prompts-context.ts';
import type { Transaction } from '../../platform/postgres/index.ts';

/**
 * Runs a change of a project's prompts in a transaction and publishes it to every replica's cache. Changes of one project are serialized,
 * so that version numbers have no gaps and two concurrent changes cannot create a cycle of references.
 */
export function changePrompts<T>(
  context: Pick<PromptsContext, 'changeFeed'>,
  projectId: string,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  return context.changeFeed.transaction(async (transaction, publish) => {
    await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`prompts ${projectId}`}, 0))`.execute(transaction);
    const result = await work(transaction);
    await publish(promptsChannel, projectId);
    return result;
  });
}
