import { randomBytes } from 'node:crypto';
import type { Clock } from '../../../platform/clock/clock.ts';
import { SealBroken } from '../../../platform/crypto/secret-box.ts';
import type { HttpClient } from '../../../platform/net/index.ts';
import { priceSpan } from '../../ingest/index.ts';
import type { ConnectionsContext } from '../connections/connections-context.ts';
import { findConnection } from '../connections/get-connection.ts';
import { EvaluationError } from '../types/evaluator-type.ts';
import type { EvaluationUsage, JudgeAnswer, JudgeRequest } from '../types/evaluator-type.ts';
import { AnswerFormats, formatFields, weaker } from './answer-format.ts';
import { askChat, RequestRefused } from './chat-endpoint.ts';
import type { ChatConnection } from './chat-endpoint.ts';
import { judgementOf, NoJudgement, usageOf } from './judge-answer.ts';
import { judgeMessages } from './judge-messages.ts';
import { withRetries } from './retry.ts';
import type { Delay } from './retry.ts';
import { withoutSecret } from './without-secret.ts';

export interface JudgeOptions {
  connections: Pick<ConnectionsContext, 'db' | 'box'>;
  /** May connect to any address: people point connections at model servers of their own. */
  http: Pick<HttpClient, 'request'>;
  clock: Clock;
  delay: Delay;
  /** 0 up to 1, excluded; spreads attempts. */
  random?: () => number;
  /** Longest time of one question, in milliseconds; default 60 s. */
  timeoutMs?: number;
}

/**
 * Asks a model for a score, through any OpenAI-compatible chat endpoint. Structured output is asked for as strictly as the server takes
 * it. At most three attempts of at most 60 s each; after those the failure says whether to try again later.
 */
export class Judge {
  readonly #options: JudgeOptions;
  readonly #formats = new AnswerFormats();

  constructor(options: JudgeOptions) {
    this.#options = options;
  }

  /**
   * One judgement.
   *
   * Errors: {@link EvaluationError}; with what was used where the model answered what is no judgement.
   */
  async judge(projectId: string, request: JudgeRequest, signal?: AbortSignal): Promise<JudgeAnswer> {
    const connection = await this.#connection(projectId, request.connectionId);
    const { delay, random = Math.random } = this.#options;
    return withRetries(() => this.#attempt(connection, request, signal), { delay, random, signal });
  }

  async #attempt(connection: OpenedConnection, request: JudgeRequest, signal?: AbortSignal): Promise<JudgeAnswer> {
    const body = await this.#ask(connection, request, signal);
    const usage = this.#usageOf(body, request.model);
    try {
      const { score, reasoning } = judgementOf(body, request.scale);
      return { score, reasoning: shown(reasoning, connection.apiKey), usage };
    } catch (error) {
      if (!(error instanceof NoJudgement)) throw error;
      throw new EvaluationError(`The judge ${error.message}; change its instructions or its model.`, { retryable: false, usage });
    }
  }

  /** Asks for the strictest form of answer that the model is known to take, and for weaker ones while it is refused. */
  async #ask(connection: OpenedConnection, request: JudgeRequest, signal?: AbortSignal): Promise<unknown> {
    const { model } = request;
    const messages = judgeMessages(request, randomBytes(12).toString('hex'));
    const key = `${connection.id} ${connection.changedAtMs} ${model}`;
    let format = this.#formats.of(key);
    for (;;) {
      try {
        const answer = await askChat(
          this.#options,
          connection,
          { model, messages, stream: false, ...formatFields(format) },
          signal,
        );
        this.#formats.remember(key, format);
        return answer;
      } catch (error) {
        const next = error instanceof RequestRefused ? weaker(format, error.told) : null;
        if (next === null) throw error;
        format = next;
      }
    }
  }

  #usageOf(body: unknown, requested: string): EvaluationUsage {
    const { model, costUsd, ...tokens } = usageOf(body);
    const priced = priceSpan({
      ...tokens,
      model,
      requestModel: requested,
      provider: '',
      cacheWriteTokens: null,
      startMs: this.#options.clock.now(),
      providedCostUsd: costUsd,
      failed: false,
    });
    return { inputTokens: tokens.inputTokens ?? 0, outputTokens: tokens.outputTokens ?? 0, costUsd: priced.costUsd };
  }

  async #connection(projectId: string, connectionId: string): Promise<OpenedConnection> {
    const { box } = this.#options.connections;
    const row = await findConnection(this.#options.connections, projectId, connectionId);
    if (!row) {
      throw new EvaluationError('The model connection of this evaluator is gone; choose another one.', { retryable: false });
    }
    try {
      const apiKey = row.sealed_key === null ? null : box.open(row.sealed_key, row.id);
      return { id: row.id, name: row.name, baseUrl: row.base_url, apiKey, changedAtMs: row.updated_at.getTime() };
    } catch (cause) {
      if (!(cause instanceof SealBroken)) throw cause;
      throw new EvaluationError(
        `The API key of the model connection ${row.name} cannot be decrypted (${cause.message}); set the key again.`,
        { retryable: false, cause },
      );
    }
  }
}

/** People give local servers keys like `none`, which are no secrets and stand in many a text. */
const shortestSecret = 8;

function shown(reasoning: string | null, apiKey: string | null): string | null {
  if (reasoning === null || apiKey === null || apiKey.length < shortestSecret) return reasoning;
  return withoutSecret(reasoning, apiKey) || null;
}

interface OpenedConnection extends ChatConnection {
  changedAtMs: number;
}
