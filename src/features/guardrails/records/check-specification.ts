import type { Problem } from '../../../../packages/guardrails/src/index.ts';
import { ServiceError } from '../../../contract/errors.ts';
import type { ErrorDetail } from '../../../contract/errors.ts';
import { nestsDeeper } from '../../../platform/json/index.ts';
import type { GuardrailSpec } from '../../policy-revisions/index.ts';
import type { GuardrailsContext } from '../guardrails-context.ts';
import { illFormedText } from './ill-formed-text.ts';
import type { Database } from '../../../platform/postgres/index.ts';

/** Maximum problems in one answer. */
const maxDetails = 20;
/** Levels of arrays and objects in a configuration; a JSON Schema has two for each of its 100. */
const deepestConfig = 256;

/**
 * Checks everything of a guardrail but its environments. Not within a transaction: a slow configuration is compiled in a thread.
 *
 * Errors: `invalid_request`, with paths such as `/config/patterns/0/pattern`; `unavailable`.
 */
export async function checkSpecification(
  { configCheck, hasConnectionNamed }: Pick<GuardrailsContext, 'configCheck' | 'hasConnectionNamed'>,
  projectId: string,
  spec: GuardrailSpec,
): Promise<number> {
  if (nestsDeeper(spec.config, deepestConfig)) throw refusal([{ path: '/config', message: 'is nested too deeply' }]);
  const illFormed = illFormedText(spec.config, '/config');
  if (illFormed !== null) throw refusal([{ path: illFormed, message: 'must not have unpaired surrogates' }]);
  const { problems, size } = await configCheck.measure(projectId, spec);
  if (problems.length > 0) throw refusal(problems.map(detailOf));
  if (spec.type !== 'llm_judge') return size;
  const { connection } = spec.config as { connection: string };
  if (await hasConnectionNamed(projectId, connection)) return size;
  throw refusal([{ path: '/config/connection', message: 'must be the name of a model connection of this project' }]);
}

/**
 * Checks that a project has every environment that a guardrail names. Under the project's lock, so that none is deleted meanwhile.
 *
 * Errors: `invalid_request`.
 */
export async function checkEnvironments(
  db: Database,
  projectId: string,
  { environments }: Pick<GuardrailSpec, 'environments'>,
): Promise<void> {
  if (environments === null || environments.length === 0) return;
  const rows = await db
    .selectFrom('environments')
    .select('name')
    .where('project_id', '=', projectId)
    .where('name', 'in', environments)
    .execute();
  const known = new Set(rows.map(({ name }) => name));
  const details = environments.flatMap((name, index) =>
    known.has(name) ? [] : [{ path: `/environments/${index}`, message: 'is not an environment of this project' }],
  );
  if (details.length > 0) throw refusal(details);
}

/** A problem as a detail of a request, whose message goes on after the path. */
function detailOf({ path, message }: Problem): ErrorDetail {
  if (path === '/action') return { path, message: 'cannot be redact for this type; use block or flag' };
  return { path, message: message.replace(/^`[^`]*` /, '').replace(/\.$/, '') };
}

function refusal(details: readonly ErrorDetail[]): ServiceError {
  const [first] = details;
  return new ServiceError('invalid_request', `Correct the guardrail: ${first?.path} ${first?.message}.`, {
    details: details.slice(0, maxDetails),
  });
}
