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
 * How JSON is requested; servers differ in their support of `response_format`. `schema`: structured output; `json`: any JSON object; `text`: in the
 * messages only.
 */
export type AnswerFormat = 'schema' | 'json' | 'text';

const maxRemembered = 1_000;

/** The format that each model of a connection last accepted. In memory only: losing it costs one rejected request. */
export class AnswerFormats {
  readonly #known = new LRUCache<string, AnswerFormat>({ max: maxRemembered });

  /** @param model names a model of a connection */
  of(model: string): AnswerFormat {
    return this.#known.get(model) ?? 'schema';
  }

  remember(model: string, format: AnswerFormat): void {
    if (format !== this.of(model)) this.#known.set(model, format);
  }
}

/** The format to try after the server refused one; null when none is left. */
export function weakerFormat(format: AnswerFormat, responseSchema: ResponseSchema | undefined): AnswerFormat | null {
  if (responseSchema === undefined || format === 'text') return null;
  return format === 'schema' ? 'json' : 'text';
}

/** The fields of a chat completion request that ask for a format. */
export function formatFields(format: AnswerFormat, responseSchema: ResponseSchema | undefined): Record<string, unknown> {
  if (!responseSchema || format === 'text') return {};
  return { response_format: format === 'schema' ? jsonSchemaFormat(responseSchema) : { type: 'json_object' } };
}

function jsonSchemaFormat({ name, schema }: ResponseSchema): object {
  return { type: 'json_schema', json_schema: { name, strict: true, schema } };
}
