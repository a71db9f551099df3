import { ServiceError } from '../../../contract/errors.ts';
import type { ErrorDetail } from '../../../contract/errors.ts';
import type { EvaluatorTypeName } from '../../../contract/evaluators.ts';
import type { EvaluationContext } from '../evaluation-context.ts';

/** Longest configuration, in characters of JSON. */
const longestConfig = 200_000;

/**
 * The configuration of an evaluator, checked by its type, with its defaults: what is to be saved.
 *
 * Errors: `invalid_request`, with paths under `/config`; `unavailable` when there is no time for checking it now.
 */
export async function checkConfig(
  { measures }: Pick<EvaluationContext, 'measures'>,
  projectId: string,
  type: EvaluatorTypeName,
  config: unknown,
): Promise<Readonly<Record<string, unknown>>> {
  if (JSON.stringify(config).length > longestConfig) {
    throw refusal('Send a smaller configuration.', {
      path: '/config',
      message: `must have at most ${longestConfig} characters as JSON`,
    });
  }
  const checked = await measures.checkedConfig(type, config);
  const { connectionId } = checked as Readonly<Record<string, unknown>>;
  if (type === 'llm_judge' && !(await measures.hasConnection(projectId, String(connectionId)))) {
    throw refusal('Name a model connection of this project, or make one first.', {
      path: '/config/connectionId',
      message: 'is not a model connection of this project',
    });
  }
  return checked;
}

function refusal(sentence: string, detail: ErrorDetail): ServiceError {
  return new ServiceError('invalid_request', sentence, { details: [detail] });
}
