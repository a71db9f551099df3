import { ServiceError } from '../../../contract/errors.ts';
import type { ErrorDetail } from '../../../contract/errors.ts';
import type { EvaluatorTypeName } from '../../../contract/evaluators.ts';
import type { EvaluationContext } from '../evaluation-context.ts';

/** Characters of a configuration as JSON. */
const maxConfigLength = 200_000;

/**
 * Checks a configuration by its evaluator's type and returns it with defaults filled in, as it is to be stored.
 *
 * Errors: `invalid_request`, with paths under `/config`; `unavailable` when the calculation thread is busy.
 */
export async function checkConfig(
  { measures }: Pick<EvaluationContext, 'measures'>,
  projectId: string,
  type: EvaluatorTypeName,
  config: unknown,
): Promise<Readonly<Record<string, unknown>>> {
  if (JSON.stringify(config).length > maxConfigLength) {
    throw refusal('Send a smaller configuration.', {
      path: '/config',
      message: `must have at most ${maxConfigLength} characters as JSON`,
    });
  }
  return measures.checkedConfig(projectId, type, config);
}

function refusal(sentence: string, detail: ErrorDetail): ServiceError {
  return new ServiceError('invalid_request', sentence, { details: [detail] });
}
