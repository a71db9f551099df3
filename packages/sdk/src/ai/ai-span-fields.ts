import type { SpanKind, TokenUsage } from '../events.ts';
import type { SpanFields } from '../tracing/span.ts';
import { countOf } from '../wrap/answer-fields.ts';
import { recordOf, textOf } from '../wrap/read-fields.ts';
import type { Loose } from '../wrap/read-fields.ts';

/** Attributes whose values have a field of their own. */
const read =
  /^ai\.(?:prompt|response\.(?:text|object|toolCalls|reasoning)|toolCall\.(?:args|result)|values?$|embeddings?$|usage|telemetry)|^gen_ai\.usage/;

/** The fields of a span of the Vercel AI SDK, versions 5 to 7, from its attributes (`ai.*`). */
export function aiSpanFields(name: string, attributes: Loose): SpanFields {
  const operation = textOf(attributes['ai.operationId']) ?? name;
  const kind = kindOf(operation);
  const isCall = kind === 'llm' || kind === 'embedding';
  // Version 7 has its `runtimeContext` in place of metadata.
  const given = (key: string) => attributes[`ai.telemetry.metadata.${key}`] ?? attributes[`ai.settings.context.${key}`];
  const metadata = (key: string) => textOf(given(key));
  const tags = given('tags');
  const tool = textOf(attributes['ai.toolCall.name']);
  const firstTokenMs = attributes['ai.response.msToFirstChunk'];
  const others = Object.entries(attributes).filter(([key]) => !read.test(key));
  return {
    name: kind === 'tool' ? tool : name,
    kind,
    operation,
    ...(isCall && {
      model: textOf(attributes['ai.response.model']) ?? textOf(attributes['ai.model.id']),
      usage: usageOf(attributes),
      timeToFirstTokenMs: typeof firstTokenMs === 'number' && firstTokenMs >= 0 ? firstTokenMs : undefined,
    }),
    provider: textOf(attributes['ai.model.provider'])?.replace(/\.(?:chat|messages|responses|completions?|embeddings?)$/i, ''),
    agentName: metadata('agentName') ?? (kind === 'agent' ? textOf(attributes['ai.telemetry.functionId']) : undefined),
    sessionId: metadata('sessionId'),
    userId: metadata('userId'),
    tags: Array.isArray(tags) ? (tags as string[]) : undefined,
    input: firstOf(attributes, ['ai.prompt.messages', 'ai.prompt', 'ai.toolCall.args', 'ai.values', 'ai.value']),
    output: outputOf(attributes),
    attributes: {
      ...Object.fromEntries(others),
      'gen_ai.response.id': textOf(attributes['ai.response.id']),
      'gen_ai.tool.name': tool,
    },
  };
}

/** The inner span is the call. The outer one may hold several, and is an agent. */
function kindOf(operation: string): SpanKind {
  if (/\.do(?:Generate|Stream)$/.test(operation)) return 'llm';
  if (operation.endsWith('.doEmbed')) return 'embedding';
  if (operation === 'ai.toolCall') return 'tool';
  return /^ai\.(?:generate|stream)(?:Text|Object)$/.test(operation) ? 'agent' : 'chain';
}

function firstOf(attributes: Loose, names: readonly string[]): unknown {
  const found = names.find((name) => attributes[name] !== undefined);
  return found === undefined ? undefined : jsonOf(attributes[found]);
}

/** The only one of text, tool calls and object; several of them as an object. The vectors of embeddings are left out: they are large. */
function outputOf(attributes: Loose): unknown {
  const result = attributes['ai.toolCall.result'];
  if (result !== undefined) return jsonOf(result);
  const parts = ['text', 'toolCalls', 'object'].flatMap((name) => {
    const value = attributes[`ai.response.${name}`];
    return value === undefined || value === '' ? [] : [[name, name === 'text' ? value : jsonOf(value)] as const];
  });
  return parts.length === 1 ? parts[0]?.[1] : parts.length === 0 ? undefined : Object.fromEntries(parts);
}

/** Objects arrive as JSON. */
function jsonOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(jsonOf);
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

function usageOf(attributes: Loose): TokenUsage | undefined {
  const count = (...names: string[]) => {
    for (const name of names) {
      const value = countOf(attributes[`ai.usage.${name}`]);
      if (value !== undefined) return value;
    }
    return undefined;
  };
  const inputTokens = count('inputTokens', 'promptTokens', 'tokens');
  const outputTokens = count('outputTokens', 'completionTokens');
  if (inputTokens === undefined && outputTokens === undefined) return undefined;
  const anthropic = recordOf(recordOf(recordOf(jsonOf(attributes['ai.response.providerMetadata']))?.['anthropic'])?.['usage']);
  const cachedTokens =
    count('inputTokenDetails.cacheReadTokens', 'cachedInputTokens') ?? countOf(anthropic?.['cache_read_input_tokens']);
  const cacheWriteTokens = count('inputTokenDetails.cacheWriteTokens') ?? countOf(anthropic?.['cache_creation_input_tokens']);
  // Anthropic counts the cache beside the input, and version 5 of the SDK passes that number on.
  const isBeside = anthropic !== undefined && inputTokens !== undefined && anthropic['input_tokens'] === inputTokens;
  return {
    inputTokens: isBeside ? inputTokens + (cachedTokens ?? 0) + (cacheWriteTokens ?? 0) : inputTokens,
    outputTokens,
    cachedTokens,
    cacheWriteTokens,
    reasoningTokens: count('outputTokenDetails.reasoningTokens', 'reasoningTokens'),
  };
}
