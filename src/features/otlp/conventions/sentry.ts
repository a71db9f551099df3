import { amount, tokens } from '../readers/attribute-readers.ts';
import type { Convention, Reader } from '../readers/convention.ts';
import { jsonText } from '../readers/parse-json.ts';
import { payload } from '../readers/payload-json.ts';
import type { SpanView } from '../readers/span-view.ts';
import type { PresentValue } from '../wire/attribute.ts';

/** The text of a response, which is a list with a text for each choice. */
function textOf(value: PresentValue | undefined, span: SpanView): string | undefined {
  if (value === undefined) return undefined;
  const parsed = typeof value === 'string' ? span.json(value) : value;
  if (!Array.isArray(parsed)) return payload(value, span);
  const texts = (parsed as readonly unknown[]).filter((text) => text !== '');
  return texts.length === 0 ? undefined : jsonText(texts.length === 1 ? texts[0] : texts);
}

/** Reads a response from its text and its tool calls. If only one is present, it is the output; both become a message. */
const response: Reader<string> = (_value, span) => {
  const text = textOf(span.get('gen_ai.response.text'), span);
  const sent = span.get('gen_ai.response.tool_calls');
  const calls = sent === undefined ? undefined : payload(sent, span);
  if (text === undefined || calls === undefined) return text ?? calls;
  return `{"role":"assistant","content":${text},"tool_calls":${calls}}`;
};

/** Sentry's SDKs: additions to `gen_ai.*`. */
export const convention: Convention = {
  name: 'sentry',
  fields: {
    input: { 'gen_ai.request.messages': payload, 'gen_ai.embeddings.input': payload, 'gen_ai.tool.input': payload },
    output: { 'gen_ai.response.text': response, 'gen_ai.response.tool_calls': response, 'gen_ai.tool.output': payload },
    cachedTokens: { 'gen_ai.usage.input_tokens.cached': tokens },
    reasoningTokens: { 'gen_ai.usage.output_tokens.reasoning': tokens },
    costUsd: { 'gen_ai.cost.total_tokens': amount },
  },
};
