import { sql } from 'kysely';
import { ServiceError } from '../../../contract/errors.ts';
import { maxCompiledStates, maxGuardrails } from '../../../contract/guardrails.ts';
import { refuseLongConfigs } from '../../policy-revisions/index.ts';
import type { GuardrailSpec } from '../../policy-revisions/index.ts';
import type { Transaction } from '../../../platform/postgres/index.ts';

/**
 * Checks that a project may have a guardrail beside its others: their number, and the size of their configurations, as JSON and compiled. Under the project's lock.
 *
 * Errors: `conflict`; `invalid_request` for what is too large when compiled.
 */
export async function refuseTooMany(
  transaction: Transaction,
  projectId: string,
  slug: string,
  { config }: Pick<GuardrailSpec, 'config'>,
  compiledSize: number,
): Promise<void> {
  const { count, characters, states } = await transaction
    .selectFrom('guardrails')
    .select((select) => [
      select.fn.countAll<number>().as('count'),
      sql<number>`coalesce(sum(length(config)), 0)`.as('characters'),
      sql<number>`coalesce(sum(compiled_size), 0)`.as('states'),
    ])
    .where('project_id', '=', projectId)
    .where('slug', '<>', slug)
    .executeTakeFirstOrThrow();
  if (count >= maxGuardrails) {
    throw new ServiceError(
      'conflict',
      `A project has at most ${maxGuardrails} guardrails; delete one that is not needed any more.`,
    );
  }
  refuseLongConfigs(characters + JSON.stringify(config).length);
  refuseTooLarge(compiledSize, states);
}

/** Throws `invalid_request` for a guardrail that is too large when compiled. @param others states of the others of the project */
function refuseTooLarge(size: number, others: number): void {
  if (size + others <= maxCompiledStates) return;
  const message =
    `is too large when compiled: it has ${size} states, the other guardrails of the project have ${others}, ` +
    `and together they have at most ${maxCompiledStates}; use fewer or shorter patterns`;
  throw new ServiceError('invalid_request', `Correct the guardrail: /config ${message}.`, {
    details: [{ path: '/config', message }],
  });
}
