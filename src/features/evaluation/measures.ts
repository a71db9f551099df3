import type { EvaluatorConfigs, EvaluatorTypeName } from '../../contract/evaluators.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { ErrorDetail } from '../../contract/errors.ts';
import { detailsOf } from '../../platform/http/request-validation.ts';
import { validationMessage } from '../../platform/http/validation-message.ts';
import { findConnection } from './connections/get-connection.ts';
import type { ConnectionsContext } from './connections/connections-context.ts';
import type { Judge } from './judge/judge.ts';
import { evaluatorTypes } from './types/index.ts';
import { EvaluationError } from './types/evaluator-type.ts';
import type { Calculations, EvaluatorType, Subject, Verdict } from './types/evaluator-type.ts';

/** An evaluator, as far as measuring goes. */
export interface MeasuredBy {
  projectId: string;
  type: EvaluatorTypeName;
  /** As {@link Measures.checkedConfig} returned it. */
  config: Readonly<Record<string, unknown>>;
}

export interface MeasuresOptions {
  connections: Pick<ConnectionsContext, 'db'>;
  judge: Pick<Judge, 'judge'>;
  calculations: Calculations;
}

/** When a configuration that could not be checked may be sent again. */
const checkAgainSeconds = 5;

/** The eight measures, for whoever runs evaluators. */
export class Measures {
  readonly #options: MeasuresOptions;

  constructor(options: MeasuresOptions) {
    this.#options = options;
  }

  /** Measures a subject. Errors: `EvaluationError`. */
  async measure({ projectId, type, config }: MeasuredBy, subject: Subject, signal?: AbortSignal): Promise<Verdict> {
    const { judge, calculations } = this.#options;
    // The configuration was checked by this very type when it was saved.
    const measure = evaluatorTypes[type] as EvaluatorType<unknown>;
    return measure.evaluate(subject, config, { judge: (request) => judge.judge(projectId, request, signal), calculations });
  }

  /**
   * The configuration of an evaluator, checked by its type and with its defaults: what is to be saved.
   *
   * Errors: `invalid_request`, with paths from `/config` on; `unavailable` when there is no time for checking it now.
   */
  async checkedConfig<Name extends EvaluatorTypeName>(type: Name, config: unknown): Promise<EvaluatorConfigs[Name]> {
    const measure = evaluatorTypes[type] as EvaluatorType<EvaluatorConfigs[Name]>;
    const { error, data } = measure.config.safeParse(config, { error: validationMessage });
    if (error) throw refusal(detailsOf(error));
    const problem = await problemOf(measure, data, this.#options.calculations);
    if (problem) throw refusal([problem]);
    return data;
  }

  /** Whether the project has this model connection. */
  async hasConnection(projectId: string, connectionId: string): Promise<boolean> {
    return (await findConnection(this.#options.connections, projectId, connectionId)) !== null;
  }
}

async function problemOf<Config>(
  measure: EvaluatorType<Config>,
  config: Config,
  calculations: Calculations,
): Promise<ErrorDetail | null> {
  try {
    return (await measure.problem?.(config, calculations)) ?? null;
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    if (!error.retryable) return { path: '', message: 'takes too long to check; make it simpler' };
    throw new ServiceError('unavailable', 'The configuration cannot be checked just now; send it again in some seconds.', {
      retryAfterSeconds: checkAgainSeconds,
      cause: error,
    });
  }
}

/** @param problems with paths from the configuration on */
function refusal(problems: readonly ErrorDetail[]): ServiceError {
  const details = problems.map(({ path, message }) => ({ path: `/config${path}`, message }));
  const [first] = details;
  return new ServiceError('invalid_request', `Correct the configuration: ${first?.path} ${first?.message}.`, { details });
}
