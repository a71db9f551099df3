import { ServiceError } from '../../contract/errors.ts';
import type { ErrorDetail } from '../../contract/errors.ts';
import type { EvaluatorConfigs, EvaluatorTypeName } from '../../contract/evaluators.ts';
import { detailsOf } from '../../platform/http/request-validation.ts';
import { validationMessage } from '../../platform/http/validation-message.ts';
import type { ModelClient } from '../model-connections/index.ts';
import { EvaluationError } from './evaluation-error.ts';
import type { Judge } from './judge/judge.ts';
import type { Calculations } from './measure/calculations.ts';
import type { ConfigServices, EvaluatorType, Subject, Verdict } from './types/evaluator-type.ts';
import { evaluatorTypes } from './types/index.ts';

/** The part of an evaluator that measuring needs. */
export interface MeasuredBy {
  projectId: string;
  type: EvaluatorTypeName;
  /** As {@link Measures.checkedConfig} returned it. */
  config: Readonly<Record<string, unknown>>;
}

export interface MeasuresOptions {
  models: Pick<ModelClient, 'findConnection'>;
  judge: Pick<Judge, 'judge'>;
  calculations: Calculations;
}

/** `Retry-After` of a configuration that could not be checked. */
const checkAgainSeconds = 5;

/** Runs evaluators by their type, and checks their configurations. */
export class Measures {
  readonly #options: MeasuresOptions;

  constructor(options: MeasuresOptions) {
    this.#options = options;
  }

  /** Measures a subject. Errors: `EvaluationError`. */
  async measure({ projectId, type, config }: MeasuredBy, subject: Subject, signal?: AbortSignal): Promise<Verdict> {
    const { judge, calculations } = this.#options;
    // The configuration was checked by the same type when it was stored.
    const measure = evaluatorTypes[type] as EvaluatorType<unknown>;
    return measure.evaluate(subject, config, { judge: (request) => judge.judge(projectId, request, signal), calculations });
  }

  /**
   * Checks a configuration by its type and returns it with defaults filled in, as it is to be stored.
   *
   * Errors: `invalid_request`, with paths under `/config`; `unavailable` when the calculation thread is busy.
   */
  async checkedConfig<Name extends EvaluatorTypeName>(
    projectId: string,
    type: Name,
    config: unknown,
  ): Promise<EvaluatorConfigs[Name]> {
    const measure = evaluatorTypes[type] as EvaluatorType<EvaluatorConfigs[Name]>;
    const { error, data } = measure.config.safeParse(config, { error: validationMessage });
    if (error) throw refusal(detailsOf(error));
    const { calculations, models } = this.#options;
    const hasConnection = async (id: string) => (await models.findConnection(projectId, id)) !== null;
    const problem = await problemOf(measure, data, { calculations, hasConnection });
    if (problem) throw refusal([problem]);
    return data;
  }
}

async function problemOf<Config>(
  measure: EvaluatorType<Config>,
  config: Config,
  services: ConfigServices,
): Promise<ErrorDetail | null> {
  try {
    return (await measure.problem?.(config, services)) ?? null;
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    if (!error.retryable) return { path: '', message: 'takes too long to check; make it simpler' };
    throw new ServiceError('unavailable', 'The configuration cannot be checked just now; send it again in a few seconds.', {
      retryAfterSeconds: checkAgainSeconds,
      cause: error,
    });
  }
}

/** @param problems with paths relative to the configuration */
function refusal(problems: readonly ErrorDetail[]): ServiceError {
  const details = problems.map(({ path, message }) => ({ path: `/config${path}`, message }));
  const [first] = details;
  return new ServiceError('invalid_request', `Correct the configuration: ${first?.path} ${first?.message}.`, { details });
}
