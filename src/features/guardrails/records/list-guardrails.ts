import type { GuardrailRecord, ListGuardrailsQuery } from '../../../contract/guardrails.ts';
import { byCreation } from '../../../platform/keyset/index.ts';
import type { GuardrailsContext } from '../guardrails-context.ts';
import { recordOf } from './guardrail-record.ts';

const oldestFirst = byCreation('asc');

/** The guardrails of a project, oldest first. Errors: `invalid_request` for a cursor of another list. */
export async function listGuardrails(
  { db }: Pick<GuardrailsContext, 'db'>,
  projectId: string,
  query: ListGuardrailsQuery,
): Promise<{ guardrails: GuardrailRecord[]; nextCursor: string | null }> {
  const select = db.selectFrom('guardrails').selectAll().where('project_id', '=', projectId);
  const { rows, nextCursor } = await oldestFirst.read(select, query);
  return { guardrails: rows.map(recordOf), nextCursor };
}
