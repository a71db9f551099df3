import type { Database } from '../../../platform/postgres/index.ts';

/** What the connection of a judge was, and is from now on. */
interface ConnectionChanged {
  name: string;
  before: Asked;
  after: Asked;
}

interface Asked {
  baseUrl: string;
  model: string;
}

/**
 * Notes that a model connection has changed for the guardrails that policy files manage and whose judge asks it: they drift until the connection is what it
 * was again, or files are applied (docs/semantics.md, "Policies").
 *
 * @param db the transaction that changes the connection
 */
export async function noteConnection(db: Database, projectId: string, { name, before, after }: ConnectionChanged): Promise<void> {
  const judges = await db
    .selectFrom('guardrails')
    .select(['id', 'config', 'judged_by'])
    .where('project_id', '=', projectId)
    .where('type', '=', 'llm_judge')
    .where('managed_by', '=', 'code')
    .execute();
  for (const { id, config, judged_by: applied } of judges) {
    const { connection, model } = JSON.parse(config) as { connection: string; model?: string };
    if (connection !== name) continue;
    // A model of the guardrail's own counts for more than the connection's.
    const asked = (one: Asked) => JSON.stringify({ baseUrl: one.baseUrl, model: model ?? one.model });
    const first = applied ?? asked(before);
    const noted = first === asked(after) ? null : first;
    if (noted !== applied) await db.updateTable('guardrails').set({ judged_by: noted }).where('id', '=', id).execute();
  }
}

/** Forgets drift: the files that are applied now take the connections as they are, and every policy is as its file says. @param db the transaction that applies */
export async function forgetDrift(db: Database, projectId: string): Promise<void> {
  for (const table of ['environments', 'guardrails'] as const)
    await db.updateTable(table).set({ differs: false }).where('project_id', '=', projectId).where('differs', '=', true).execute();
  await db
    .updateTable('guardrails')
    .set({ judged_by: null })
    .where('project_id', '=', projectId)
    .where('judged_by', 'is not', null)
    .execute();
}
