import { turnLimits } from '../../../platform/budgets/index.ts';
import type { Clock } from '../../../platform/clock/clock.ts';
import { SealBroken } from '../../../platform/crypto/secret-box.ts';
import type { HttpClient } from '../../../platform/net/index.ts';
import { priceSpan } from '../../pricing/index.ts';
import type { ConnectionRow } from '../connection-record.ts';
import type { ConnectionsContext } from '../connections-context.ts';
import { findConnection, findConnectionNamed, soleConnection } from '../get-connection.ts';
import { AnswerFormats, formatFields, weakerFormat } from './answer-format.ts';
import type { ResponseSchema } from './answer-format.ts';
import { AnswerReader } from './answer-reader.ts';
import { askChat, RequestRejected } from './chat-endpoint.ts';
import type { ChatServer } from './chat-endpoint.ts';
import type { CompletionUsage } from './completion.ts';
import type { JsonObject } from './json-object-in-text.ts';
import { ModelError } from './model-error.ts';
import type { ModelUsage } from './model-error.ts';
import { QuestionSlots } from './question-slots.ts';
import type { TurnLimits } from './question-slots.ts';
import { answerLimits } from './read-answer.ts';
import type { ReadAnswer } from './read-answer.ts';
import { RefusedParameters, requestFields, withoutRefused } from './refused-parameters.ts';
import { withRetries } from './retry.ts';
import type { Delay } from './retry.ts';

export interface ChatMessage {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

/** A question to a model. */
export interface ModelQuestion {
  messages: readonly ChatMessage[];
  /** Default: the connection's model. */
  model?: string;
  /** Sent unless the model does not support it. */
  temperature?: number;
  /** Tokens of the answer. Default: the server's. */
  maxTokens?: number;
  /** Maximum time of one attempt, in milliseconds; default and maximum 60 s. */
  timeoutMs?: number;
  /** Maximum bytes of the server's answer; default 1 MiB. */
  maxAnswerBytes?: number;
  /** Further fields of the request; those that the model refuses are left out. */
  parameters?: Readonly<Record<string, unknown>>;
  signal?: AbortSignal | undefined;
  /** A request waits for the answer: it has slots of its own, so that it does not wait behind evaluations. */
  urgent?: boolean;
}

export interface ModelAnswer {
  /** The text of the answer; runs of 8 or more characters of the API key are replaced by `[redacted]`. */
  content: string;
  /** The model that answered, as the server names it, else the one asked for. */
  model: string;
  usage: ModelUsage;
  /** Names of `parameters` that the model refused. */
  refused: readonly string[];
}

export interface ModelObjectAnswer extends ModelAnswer {
  /** The JSON object in the answer. Not checked against the schema: a server without structured output may answer with another object. */
  object: JsonObject;
}

export interface ModelClientOptions {
  connections: Pick<ConnectionsContext, 'db' | 'box'>;
  /** May connect to any address: connections may point at model servers of the operator's own network. */
  http: Pick<HttpClient, 'request'>;
  clock: Clock;
  delay: Delay;
  /** 0 up to 1, excluded; the jitter of retries. */
  random?: () => number;
  /** Maximum time of one attempt, in milliseconds; default 60 s. */
  timeoutMs?: number;
  limits?: Partial<TurnLimits>;
}

const maxTimeoutMs = 60_000;

/** Asks models through the model connections of projects, which are OpenAI-compatible chat completion endpoints. */
export class ModelClient {
  readonly #options: ModelClientOptions;
  readonly #answers = new AnswerReader();
  readonly #formats = new AnswerFormats();
  readonly #parameters = new RefusedParameters();
  readonly #slots: QuestionSlots;
  readonly #urgentSlots = new QuestionSlots(turnLimits.urgentQuestions);

  constructor(options: ModelClientOptions) {
    this.#options = options;
    this.#slots = new QuestionSlots({ ...turnLimits.questions, ...options.limits });
  }

  /** Ends the thread that reads large answers. */
  close(): Promise<void> {
    return this.#answers.close();
  }

  /** A model connection of a project, to be asked with {@link askModel}; null when the project has none of this id. */
  findConnection(projectId: string, connectionId: string): Promise<ConnectionRow | null> {
    return findConnection(this.#options.connections, projectId, connectionId);
  }

  /** A model connection of a project by its name; null when there is none. */
  findConnectionNamed(projectId: string, name: string): Promise<ConnectionRow | null> {
    return findConnectionNamed(this.#options.connections, projectId, name);
  }

  /** The model connection of a project that has only one; null when it has none or several. */
  soleConnection(projectId: string): Promise<ConnectionRow | null> {
    return soleConnection(this.#options.connections, projectId);
  }

  /**
   * Asks a model, with up to three attempts of up to 60 s each. Waits while the project or the process has too many questions in progress.
   *
   * With `responseSchema` the answer holds a JSON object. It is requested in the strictest format that the server accepts: structured output, else
   * any JSON object, else only in the messages, which must therefore describe the object too.
   *
   * Errors: {@link ModelError}; with the usage if the model gave an unusable answer.
   */
  askModel(connection: ConnectionRow, question: ModelQuestion & { responseSchema: ResponseSchema }): Promise<ModelObjectAnswer>;
  askModel(connection: ConnectionRow, question: ModelQuestion): Promise<ModelAnswer>;
  async askModel(connection: ConnectionRow, question: Question): Promise<ModelAnswer | ModelObjectAnswer> {
    const { delay, random = Math.random } = this.#options;
    const { signal } = question;
    const server = this.#server(connection);
    const slots = question.urgent ? this.#urgentSlots : this.#slots;
    const attempt = () => slots.run(connection.project_id, () => this.#attempt(connection, server, question), signal);
    return withRetries(attempt, { delay, random, signal });
  }

  async #attempt(connection: ConnectionRow, server: ChatServer, question: Question): Promise<ModelAnswer | ModelObjectAnswer> {
    const { model: requested = connection.model, responseSchema } = question;
    const { choice, object, usage: reported, refused } = await this.#answer(connection, server, question);
    const { model, usage } = this.#usage(reported, requested);
    const unusable = (code: 'invalid-answer' | 'cut-off' | 'refusal', message: string) =>
      new ModelError(code, message, { retryable: false, usage });
    if (!choice) throw unusable('invalid-answer', 'The model answered with no chat completion; check the model connection.');
    if (choice.refused) throw unusable('refusal', 'The model refused to answer; change the instructions or the model.');
    const { text: content } = choice;
    if (!responseSchema) return { content, model, usage, refused };
    if (object) return { content, object, model, usage, refused };
    if (choice.cutOff) throw unusable('cut-off', 'The answer of the model was cut off; allow more tokens or change the model.');
    throw unusable('invalid-answer', 'The model did not answer with a JSON object; change the instructions or the model.');
  }

  async #answer(
    connection: ConnectionRow,
    server: ChatServer,
    question: Question,
  ): Promise<ReadAnswer & { refused: readonly string[] }> {
    const { apiKey, name } = server;
    const { body, refused } = await this.#request(connection, server, question);
    const read = await this.#answers.read(body, { apiKey, essential: question.responseSchema?.essential ?? null });
    if (typeof read === 'object') return { ...read, refused };
    const message =
      read === 'not-json'
        ? `The model connection ${name} answered with a body that is not JSON; check its base URL.`
        : `The model connection ${name} answered with more than ${answerLimits.values} JSON values; ask for a shorter answer.`;
    throw new ModelError('invalid-answer', message, { retryable: false });
  }

  /** Sends the question in the format that the model last accepted, and in weaker ones, or without parameters, while the server rejects it. */
  async #request(
    connection: ConnectionRow,
    server: ChatServer,
    question: Question,
  ): Promise<{ body: Buffer; refused: readonly string[] }> {
    const { messages, model = connection.model, responseSchema, maxAnswerBytes, signal } = question;
    const timeoutMs = Math.min(question.timeoutMs ?? maxTimeoutMs, this.#options.timeoutMs ?? maxTimeoutMs);
    const key = `${connection.id} ${connection.updated_at.getTime()} ${model}`;
    const asked = parametersOf(question);
    let format = this.#formats.of(key);
    let sent = this.#parameters.of(key, asked);
    for (;;) {
      const body = { ...requestFields(sent), model, messages, stream: false, ...formatFields(format, responseSchema) };
      try {
        const answer = await askChat(this.#options, server, {
          body,
          projectId: connection.project_id,
          timeoutMs,
          maxAnswerBytes,
          signal,
        });
        this.#formats.remember(key, format);
        this.#parameters.remember(key, asked, sent);
        return { body: answer, refused: sent.refused.filter((name) => Object.hasOwn(question.parameters ?? {}, name)) };
      } catch (error) {
        if (!(error instanceof RequestRejected)) throw error;
        const fewer = withoutRefused(sent, error.reason);
        const weaker = fewer ? format : weakerFormat(format, responseSchema);
        if (weaker === null) throw error;
        format = weaker;
        sent = fewer ?? sent;
      }
    }
  }

  #usage(reported: CompletionUsage, requested: string): { model: string; usage: ModelUsage } {
    const { model, costUsd: providedCostUsd, ...tokens } = reported;
    const { costUsd } = priceSpan({
      ...tokens,
      model,
      requestModel: requested,
      provider: '',
      cacheWriteTokens: null,
      usageDetails: '',
      startMs: this.#options.clock.now(),
      providedCostUsd,
      failed: false,
    });
    const usage = { inputTokens: tokens.inputTokens ?? 0, outputTokens: tokens.outputTokens ?? 0, costUsd };
    return { model: model || requested, usage };
  }

  #server({ id, name, base_url: baseUrl, sealed_key: sealed }: ConnectionRow): ChatServer {
    try {
      return { name, baseUrl, apiKey: sealed === null ? null : this.#options.connections.box.open(sealed, id) };
    } catch (cause) {
      if (!(cause instanceof SealBroken)) throw cause;
      const message = `The API key of the model connection ${name} cannot be decrypted (${cause.message}); set the key again.`;
      throw new ModelError('key', message, { retryable: false, cause });
    }
  }
}

type Question = ModelQuestion & { responseSchema?: ResponseSchema };

/** The parameters of a question, of which the model may refuse each. */
function parametersOf({ parameters, temperature, maxTokens }: Question): Readonly<Record<string, unknown>> {
  return {
    ...parameters,
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxTokens === undefined ? {} : { max_tokens: maxTokens }),
  };
}
