import { randomBytes } from 'node:crypto';
import { ModelError } from '../../model-connections/index.ts';
import type { ModelClient, ModelObjectAnswer } from '../../model-connections/index.ts';
import { EvaluationError } from '../evaluation-error.ts';
import type { JudgeAnswer, JudgeRequest } from '../types/evaluator-type.ts';
import { judgeMessages, judgementSchema } from './judge-messages.ts';
import { judgementOf, NoJudgement } from './judgement.ts';

/** Asks models for scores. */
export class Judge {
  readonly #models: Pick<ModelClient, 'askModel' | 'findConnection'>;

  constructor(models: Pick<ModelClient, 'askModel' | 'findConnection'>) {
    this.#models = models;
  }

  /**
   * Asks for one judgement.
   *
   * Errors: {@link EvaluationError}; with the usage where the model answered without a judgement.
   */
  async judge(projectId: string, request: JudgeRequest, signal?: AbortSignal): Promise<JudgeAnswer> {
    const answer = await this.#ask(projectId, request, signal);
    const { usage } = answer;
    try {
      return { ...judgementOf(answer.object, request.scale), usage };
    } catch (error) {
      if (!(error instanceof NoJudgement)) throw error;
      throw new EvaluationError(`The judge ${error.message}; change its instructions or its model.`, { retryable: false, usage });
    }
  }

  async #ask(projectId: string, request: JudgeRequest, signal: AbortSignal | undefined): Promise<ModelObjectAnswer> {
    const connection = await this.#models.findConnection(projectId, request.connectionId);
    if (!connection)
      throw new EvaluationError('The model connection of this evaluator was deleted; choose another one.', { retryable: false });
    try {
      return await this.#models.askModel(connection, {
        messages: judgeMessages(request, randomBytes(12).toString('hex')),
        model: request.model,
        temperature: 0,
        responseSchema: judgementSchema,
        signal,
      });
    } catch (error) {
      throw error instanceof ModelError ? evaluationErrorOf(error) : error;
    }
  }
}

function evaluationErrorOf(error: ModelError): EvaluationError {
  const { message, retryable, retryAfterMs, usage } = error;
  return new EvaluationError(message, {
    retryable,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(usage ? { usage } : {}),
    cause: error,
  });
}
