import { wholeOutput } from '../../records/index.ts';
import type { SpanView } from '../readers/span-view.ts';
import { allFieldReader, fieldReader } from './field-reader.ts';

/** A span's token counts: docs/semantics.md, "Token counts". */
export interface SpanUsage {
  inputTokens: number | null;
  outputTokens: number | null;
  cachedTokens: number | null;
  cacheWriteTokens: number | null;
  reasoningTokens: number | null;
  /** See `SpanRecord`. */
  usageDetails: string;
}

const inputTokens = fieldReader('inputTokens');
const outputTokens = fieldReader('outputTokens');
const cachedTokens = fieldReader('cachedTokens');
const cacheWriteTokens = fieldReader('cacheWriteTokens');
const reasoningTokens = fieldReader('reasoningTokens');
const tokenClasses = allFieldReader('tokenClasses');
const totalTokens = fieldReader('totalTokens');
const cacheOutsideInput = fieldReader('cacheOutsideInput');
const reasoningOutsideOutput = fieldReader('reasoningOutsideOutput');

/** Reads a span's token counts. Cached tokens that the client left out of the input are added to it, as are reasoning tokens to the output. */
export function spanUsage(span: SpanView): SpanUsage {
  const usage: SpanUsage = {
    inputTokens: inputTokens(span) ?? null,
    outputTokens: outputTokens(span) ?? null,
    cachedTokens: ofAny(cachedTokens, span),
    cacheWriteTokens: ofAny(cacheWriteTokens, span),
    reasoningTokens: ofAny(reasoningTokens, span),
    usageDetails: detailsOf(span),
  };
  const sentInput = usage.inputTokens ?? 0;
  const cache = (usage.cachedTokens ?? 0) + (usage.cacheWriteTokens ?? 0);
  if (usage.inputTokens !== null && cache > 0 && (cache > usage.inputTokens || cacheOutsideInput(span) === true)) {
    usage.inputTokens = Math.min(usage.inputTokens + cache, Number.MAX_SAFE_INTEGER);
  }
  const reasoning = usage.reasoningTokens ?? 0;
  if (usage.outputTokens === null || reasoning === 0) return usage;
  if (reasoningOutsideOutput(span) === true) {
    usage.outputTokens = Math.min(usage.outputTokens + reasoning, Number.MAX_SAFE_INTEGER);
    return usage;
  }
  const total = totalTokens(span);
  // Either input may be in the total: that with cached tokens that were added, or as it was sent.
  const inputOfTotal = total === sentInput + usage.outputTokens + reasoning ? sentInput : (usage.inputTokens ?? 0);
  usage.outputTokens = wholeOutput(usage.outputTokens, reasoning, inputOfTotal, total);
  return usage;
}

/** The classes that any attribute has, as JSON text; `''` without one. */
function detailsOf(span: SpanView): string {
  const found = tokenClasses(span);
  return found.length === 0 ? '' : JSON.stringify(Object.assign({}, ...found.toReversed()));
}

/** A class of tokens from the first attribute that has some; 0 where attributes have none. */
function ofAny(read: typeof cachedTokens, span: SpanView): number | null {
  return read(span, (count) => count > 0) ?? read(span) ?? null;
}
