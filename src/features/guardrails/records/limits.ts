import { sql } from 'kysely';
import { ServiceError } from '../../../contract/errors.ts';
import { maxConfigCharacters, maxGuardrails } from '../../../contract/guardrails.ts';
import type { GuardrailSpec, PoliciesTransaction } from '../../policy-revisions/index.ts';

/**
 * Checks that a project may have a guardrail beside its others: their number, and the size of their configurations. Under the project's lock.
 *
 * Errors: `conflict`.
 */
export async function refuseTooMany(
  transaction: PoliciesTransaction,
  projectId: string,
  slug: string,
  { config }: Pick<GuardrailSpec, 'config'>,
): Promise<void> {
  const { count, characters } = await transaction
    .selectFrom('guardrails')
    .select((select) => [
      select.fn.countAll<number>().as('count'),
      sql<string>`coalesce(sum(length(config)), 0)`.as('characters'),
    ])
    .where('project_id', '=', projectId)
    .where('slug', '<>', slug)
    .executeTakeFirstOrThrow();
  if (Number(count) >= maxGuardrails) {
    throw new ServiceError(
      'conflict',
      `A project has at most ${maxGuardrails} guardrails; delete one that is not needed any more.`,
    );
  }
  if (Number(characters) + JSON.stringify(config).length <= maxConfigCharacters) return;
  throw new ServiceError(
    'conflict',
    `The configurations of a project's guardrails have at most ${maxConfigCharacters} characters together; make some of them shorter.`,
  );
}
