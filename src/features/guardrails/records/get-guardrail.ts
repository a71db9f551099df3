import type { GuardrailRecord } from '../../../contract/guardrails.ts';
import type { GuardrailsContext } from '../guardrails-context.ts';
import { findGuardrail, recordOf } from './guardrail-record.ts';

/** Errors: `not_found` when the project has no such guardrail. */
export async function getGuardrail(
  { db }: Pick<GuardrailsContext, 'db'>,
  projectId: string,
  guardrailId: string,
): Promise<GuardrailRecord> {
  return recordOf(await findGuardrail(db, projectId, guardrailId));
}
