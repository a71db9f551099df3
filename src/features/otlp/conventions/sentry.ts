import { amount, tokens } from '../mapping/attribute-readers.ts';
import type { Convention, Reader } from '../mapping/convention.ts';
import { payload } from '../mapping/payload-json.ts';

/** Reads a response from its text and its tool calls. If only one is present, it is the output; both become an object. */
const response: Reader<string> = (_value, span) => {
  const [text, calls] = ['gen_ai.response.text', 'gen_ai.response.tool_calls'].map((name) => {
    const value = span.get(name);
    return value === undefined ? undefined : payload(value, span);
  });
  return text !== undefined && calls !== undefined
    ? `{"role":"assistant","content":${text},"tool_calls":${calls}}`
    : (text ?? calls);
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
