import { fieldReader } from './field-reader.ts';
import type { SpanView } from './span-view.ts';

/** A span's tokens as the contract counts them: the input holds the cached and the cache-write ones. */
export interface SpanUsage {
  inputTokens: number | null;
  outputTokens: number | null;
  cachedTokens: number | null;
  cacheWriteTokens: number | null;
  reasoningTokens: number | null;
}

const inputTokens = fieldReader('inputTokens');
const outputTokens = fieldReader('outputTokens');
const cachedTokens = fieldReader('cachedTokens');
const cacheWriteTokens = fieldReader('cacheWriteTokens');
const reasoningTokens = fieldReader('reasoningTokens');
const cacheOutsideInput = fieldReader('cacheOutsideInput');

/** Reads the tokens of a span. Clients differ in whether the input holds the cached ones; more cache than input shows that it does not. */
export function spanUsage(span: SpanView): SpanUsage {
  const usage: SpanUsage = {
    inputTokens: inputTokens(span) ?? null,
    outputTokens: outputTokens(span) ?? null,
    cachedTokens: cachedTokens(span) ?? null,
    cacheWriteTokens: cacheWriteTokens(span) ?? null,
    reasoningTokens: reasoningTokens(span) ?? null,
  };
  const cache = (usage.cachedTokens ?? 0) + (usage.cacheWriteTokens ?? 0);
  if (usage.inputTokens !== null && cache > 0 && (cache > usage.inputTokens || cacheOutsideInput(span) === true)) {
    usage.inputTokens = Math.min(usage.inputTokens + cache, Number.MAX_SAFE_INTEGER);
  }
  return usage;
}
