import { isRecord } from '../../../platform/json/index.ts';
import { record, tokensOf } from './attribute-readers.ts';
import type { Reader } from './convention.ts';

export type Usage = Readonly<Record<string, unknown>>;

const details = {
  input: [
    'input_tokens_details',
    'prompt_tokens_details',
    'input_token_details',
    'prompt_token_details',
    'inputTokensDetails',
    'promptTokensDetails',
    'inputTokenDetails',
  ],
  output: [
    'output_tokens_details',
    'completion_tokens_details',
    'output_token_details',
    'completion_token_details',
    'outputTokensDetails',
    'completionTokensDetails',
    'outputTokenDetails',
  ],
} as const;

interface Names {
  /** Members of the object itself. */
  own: readonly string[];
  /** The side whose details may have the class, and its names there. */
  side?: keyof typeof details;
  nested?: readonly string[];
}

const names = {
  inputTokens: {
    own: ['input_tokens', 'prompt_tokens', 'inputTokens', 'promptTokens', 'prompt_token_count', 'promptTokenCount'],
  },
  outputTokens: {
    own: [
      'output_tokens',
      'completion_tokens',
      'outputTokens',
      'completionTokens',
      'candidates_token_count',
      'candidatesTokenCount',
    ],
  },
  totalTokens: { own: ['total_tokens', 'totalTokens', 'total_token_count', 'totalTokenCount'] },
  cachedTokens: {
    own: [
      'cache_read_input_tokens',
      'cached_tokens',
      'cacheReadInputTokens',
      'cachedInputTokens',
      'cached_content_token_count',
      'cachedContentTokenCount',
    ],
    side: 'input',
    nested: ['cached_tokens', 'cache_read', 'cache_read_tokens', 'cachedTokens', 'cacheReadTokens', 'cache_read_input_tokens'],
  },
  cacheWriteTokens: {
    own: ['cache_creation_input_tokens', 'cache_write_input_tokens', 'cacheWriteInputTokens', 'cacheCreationInputTokens'],
    side: 'input',
    nested: [
      'cache_write',
      'cache_creation',
      'cache_write_tokens',
      'cache_creation_tokens',
      'cacheWriteTokens',
      'cacheCreationTokens',
    ],
  },
  reasoningTokens: {
    own: ['reasoning_tokens', 'reasoningTokens', 'thinking_tokens', 'thoughts_token_count', 'thoughtsTokenCount'],
    side: 'output',
    nested: ['reasoning_tokens', 'reasoning', 'reasoningTokens', 'thinking_tokens'],
  },
} as const satisfies Record<string, Names>;

export type UsageClass = keyof typeof names;

/** A class of tokens of a provider's usage object in any of the known shapes: a member, or one of `X_tokens_details`. */
export function usageOf(usage: Usage, name: UsageClass): number | undefined {
  const { own, side, nested }: Names = names[name];
  const found = first(usage, own);
  // A class of no tokens may have its tokens in the details.
  if (found !== undefined && (found > 0 || side === undefined)) return found;
  for (const key of side === undefined ? [] : details[side]) {
    const inner = usage[key];
    const count = isRecord(inner) ? first(inner, nested ?? []) : undefined;
    if (count !== undefined) return count;
  }
  return found;
}

/** Reads a class of tokens from a usage object, as JSON or as the text of a Python dictionary. */
export function usageClass(name: UsageClass): Reader<number> {
  return (value, span) => {
    const usage = record(value, span);
    return usage === undefined ? undefined : usageOf(usage, name);
  };
}

/** The first of these members that is a token count. */
export function first(usage: Usage, members: readonly string[]): number | undefined {
  for (const name of members) {
    const count = Object.hasOwn(usage, name) ? tokensOf(usage[name]) : undefined;
    if (count !== undefined) return count;
  }
  return undefined;
}
