import { fieldReader } from './field-reader.ts';
import type { SpanView } from './span-view.ts';

/** A span's token counts: docs/semantics.md, "Token counts". */
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
const reasoningOutsideOutput = fieldReader('reasoningOutsideOutput');

/** Reads a span's token counts. Cached tokens that the client left out of the input are added to it, as are reasoning tokens to the output. */
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
  const reasoning = usage.reasoningTokens ?? 0;
  if (usage.outputTokens !== null && reasoning > 0 && reasoningOutsideOutput(span) === true) {
    usage.outputTokens = Math.min(usage.outputTokens + reasoning, Number.MAX_SAFE_INTEGER);
  }
  return usage;
}
