import type { SpanKind } from '../../../contract/kinds.ts';
import { label, numberOf, tokens, tokensOf } from '../readers/attribute-readers.ts';
import type { Convention, Reader } from '../readers/convention.ts';

const kinds: ReadonlyMap<unknown, SpanKind> = new Map<unknown, SpanKind>([
  ['interaction', 'agent'],
  ['llm_request', 'llm'],
  ['tool', 'tool'],
  ['tool.execution', 'span'],
]);

/** Claude Code does not count cached tokens as input. Without `span.type` the sender is another one, whose input count is used unchanged. */
const input: Reader<number> = (value, span) => {
  const count = tokensOf(value);
  if (count === undefined || span.get('span.type') === undefined) return count;
  return count + (tokensOf(span.get('cache_read_tokens')) ?? 0) + (tokensOf(span.get('cache_creation_tokens')) ?? 0);
};

/** Claude Code: attribute names without a prefix; its spans have `span.type`. */
export const convention: Convention = {
  name: 'claude-code',
  fields: {
    // VoltAgent has tools under the same name.
    kind: {
      'span.type': (value, span) => (value === 'tool' && span.get('entity.type') !== undefined ? undefined : kinds.get(value)),
    },
    toolName: { tool_name: label },
    requestModel: { model: label },
    inputTokens: { input_tokens: input },
    outputTokens: { output_tokens: tokens },
    cachedTokens: { cache_read_tokens: tokens },
    cacheWriteTokens: { cache_creation_tokens: tokens },
    timeToFirstTokenMs: { ttft_ms: (value) => numberOf(value) },
  },
};
