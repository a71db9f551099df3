import { LRUCache } from 'lru-cache';
/** A JSON Schema that the answer shall follow. */
export interface ResponseSchema {
  /** Names the schema to the server: letters, digits, `_` and `-`. */
  name: string;
  schema: Readonly<Record<string, unknown>>;
  /** Properties that tell the answer from other JSON objects in the text of a model that writes more than asked for. */
  essential: readonly string[];
}

/**
 * The options of a chat completion request that a model supports. Servers differ in their support of `response_format`; some models accept no
 * `temperature`, others require `max_completion_tokens` instead of `max_tokens`.
 */
export interface AnswerFormat {
  /** `schema`: structured output; `json`: any JSON object; `text`: requested in the messages only. */
  form: 'schema' | 'json' | 'text';
  temperature: boolean;
  maxTokensField: 'max_tokens' | 'max_completion_tokens';
}

/** The options of a question that an {@link AnswerFormat} decides on. */
export interface FormatOptions {
  responseSchema?: ResponseSchema | undefined;
  temperature?: number | undefined;
  maxTokens?: number | undefined;
}

const strictest: AnswerFormat = { form: 'schema', temperature: true, maxTokensField: 'max_tokens' };
const maxRemembered = 1_000;

/** The format that each model of a connection last accepted. In memory only: losing it costs one rejected request. */
export class AnswerFormats {
  readonly #known = new LRUCache<string, AnswerFormat>({ max: maxRemembered });

  of(key: string): AnswerFormat {
    return this.#known.get(key) ?? strictest;
  }

  remember(key: string, format: AnswerFormat): void {
    if (format === this.of(key)) return;
    this.#known.set(key, format);
  }
}

/** The format to try after the server refused one; null when none is left. @param refusal the server's message */
export function weakerFormat(format: AnswerFormat, options: FormatOptions, refusal: string): AnswerFormat | null {
  if (options.temperature !== undefined && format.temperature && /temperature/i.test(refusal))
    return { ...format, temperature: false };
  if (options.maxTokens !== undefined && format.maxTokensField === 'max_tokens' && /max_tokens/i.test(refusal))
    return { ...format, maxTokensField: 'max_completion_tokens' };
  if (options.responseSchema === undefined) return null;
  switch (format.form) {
    case 'schema':
      return { ...format, form: 'json' };
    case 'json':
      return { ...format, form: 'text' };
    case 'text':
      return null;
  }
}

/** The fields of a chat completion request for these options in a format. */
export function formatFields(
  { form, temperature, maxTokensField }: AnswerFormat,
  options: FormatOptions,
): Record<string, unknown> {
  const { responseSchema } = options;
  return {
    ...(options.temperature !== undefined && temperature ? { temperature: options.temperature } : {}),
    ...(options.maxTokens === undefined ? {} : { [maxTokensField]: options.maxTokens }),
    ...(responseSchema && form === 'schema' ? { response_format: jsonSchemaFormat(responseSchema) } : {}),
    ...(responseSchema && form === 'json' ? { response_format: { type: 'json_object' } } : {}),
  };
}

function jsonSchemaFormat({ name, schema }: ResponseSchema): object {
  return { type: 'json_schema', json_schema: { name, strict: true, schema } };
}
