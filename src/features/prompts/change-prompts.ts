import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import { promptsChannel } from './prompt-cache.ts';
import type { PromptsContext } from './prompts-context.ts';
import type { PromptTables } from './tables.ts';

/**
 * Runs a change of a project's prompts: in a transaction, alone among the changes of that project (so that versions have no gaps and two
 * changes cannot close a circle of references together), and told to every replica's cache when it is done.
 */
export function changePrompts<T>(
  context: Pick<PromptsContext, 'notifications'>,
  projectId: string,
  work: (transaction: Transaction<PromptTables>) => Promise<T>,
): Promise<T> {
  return context.notifications.transaction(async (transaction, publish) => {
    await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`prompts ${projectId}`}, 0))`.execute(transaction);
    const result = await work(transaction as unknown as Transaction<PromptTables>);
    await publish(promptsChannel, projectId);
    return result;
  });
}
