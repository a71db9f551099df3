import type { SpanFields } from '../tracing/span.ts';
import { textOf } from './read-fields.ts';
import type { Loose } from './read-fields.ts';

/** Parameters that have a field of their own. */
const ownFields: ReadonlySet<string> = new Set(['model', 'stream', 'input', 'prompt', 'instructions', 'system']);

/** What the parameters of a call say: model, input, settings such as the temperature, and tools. */
export function requestFields(operation: string, params: Loose, input: unknown): SpanFields & { name: string } {
  const model = textOf(params['model']);
  const attributes: Record<string, unknown> = { 'gen_ai.request.model': model };
  for (const [name, value] of Object.entries(params)) {
    const isSetting = typeof value === 'number' || typeof value === 'boolean' || typeof value === 'string';
    if (isSetting && !ownFields.has(name)) attributes[`gen_ai.request.${name}`] = value;
  }
  if (Array.isArray(params['tools'])) attributes['gen_ai.tool.definitions'] = params['tools'];
  return { name: model === undefined ? operation : `${operation} ${model}`, operation, model, input, attributes };
}
