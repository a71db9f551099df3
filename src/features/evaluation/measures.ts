import type { EvaluatorConfigs, EvaluatorTypeName } from '../../contract/evaluators.ts';
import { ServiceError } from '../../contract/errors.ts';
import { detailsOf } from '../../platform/http/request-validation.ts';
import { validationMessage } from '../../platform/http/validation-message.ts';
import { findConnection } from './connections/get-connection.ts';
import type { ConnectionsContext } from './connections/connections-context.ts';
import type { Judge } from './judge/judge.ts';
import { evaluatorTypes } from './types/index.ts';
import type { Calculations, EvaluatorType, Subject, Verdict } from './types/evaluator-type.ts';

/** An evaluator, as far as measuring goes. */
export interface MeasuredBy {
  projectId: string;
  type: EvaluatorTypeName;
  /** As {@link checkedConfig} returned it. */
  config: Readonly<Record<string, unknown>>;
}

export interface MeasuresOptions {
  connections: Pick<ConnectionsContext, 'db'>;
  judge: Pick<Judge, 'judge'>;
  calculations: Calculations;
}

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

  /** Whether the project has this model connection. */
  async hasConnection(projectId: string, connectionId: string): Promise<boolean> {
    return (await findConnection(this.#options.connections, projectId, connectionId)) !== null;
  }
}

/**
 * The configuration of an evaluator, checked by its type and with its defaults: what is to be saved.
 *
 * Errors: `invalid_request`, with paths from `/config` on.
 */
export function checkedConfig<Name extends EvaluatorTypeName>(type: Name, config: unknown): EvaluatorConfigs[Name] {
  const { error, data } = evaluatorTypes[type].config.safeParse(config, { error: validationMessage });
  if (!error) return data as EvaluatorConfigs[Name];
  const details = detailsOf(error).map(({ path, message }) => ({ path: `/config${path}`, message }));
  const [first] = details;
  throw new ServiceError('invalid_request', `Correct the configuration: ${first?.path} ${first?.message}.`, { details });
}
