import { isRecord } from '../../../platform/json/index.ts';

/** What a prompt's configuration asks of a model. */
export interface ModelParameters {
  /** The model that it names, if it does. */
  model: string | undefined;
  /** Fields of a chat completion request, by their names there. */
  parameters: Readonly<Record<string, unknown>>;
  /** Names of what is not sent, as the configuration has them, by code point. */
  ignored: readonly string[];
}

/** Fields of a chat completion request that change the answer, and that a caller without tools can read the answer of. */
const taken: ReadonlySet<string> = new Set([
  'frequency_penalty',
  'logit_bias',
  'max_completion_tokens',
  'max_tokens',
  'min_p',
  'modalities',
  'presence_penalty',
  'reasoning_effort',
  'repetition_penalty',
  'response_format',
  'seed',
  'service_tier',
  'stop',
  'temperature',
  'top_k',
  'top_p',
  'verbosity',
]);

/**
 * Reads the configuration of a prompt version (docs/semantics.md, "Prompt targets"): fields of a chat completion request, in snake or camel case, at
 * its top or in `parameters`.
 */
export function modelParameters(config: Readonly<Record<string, unknown>>): ModelParameters {
  const { model, parameters: inner, ...rest } = config;
  const parameters: Record<string, unknown> = {};
  const ignored: string[] = [];
  const fields = { ...rest, ...(isRecord(inner) ? inner : inner === undefined ? {} : { parameters: inner }) };
  for (const [name, value] of Object.entries(fields)) {
    const field = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    if (value === null) continue;
    if (taken.has(field)) parameters[field] = field === 'response_format' ? responseFormat(value) : value;
    else ignored.push(name);
  }
  const namesModel = typeof model === 'string' && model !== '';
  if (model !== undefined && !namesModel) ignored.push('model');
  return { model: namesModel ? model : undefined, parameters, ignored: ignored.toSorted() };
}

/** `{type: 'json_schema', schema, strict?}`, as the API writes it elsewhere, in the form of a chat completion request. */
function responseFormat(format: unknown): unknown {
  if (!isRecord(format) || format['type'] !== 'json_schema' || !isRecord(format['schema'])) return format;
  const { schema, strict } = format;
  return { type: 'json_schema', json_schema: { name: 'answer', schema, ...(strict === undefined ? {} : { strict }) } };
}
