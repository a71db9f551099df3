import { calcPrice, type ModelPrice } from '@pydantic/genai-prices';
import type { CostStatus } from '../../contract/kinds.ts';

/** What a span costs is worked out from this, however the span came. Models and provider: `''` when not known. */
export interface PriceInput {
  model: string;
  requestModel: string;
  provider: string;
  /** The whole input: cached and cache-write tokens are inside it. */
  inputTokens: number | null;
  /** Reasoning tokens are inside it. */
  outputTokens: number | null;
  cachedTokens: number | null;
  cacheWriteTokens: number | null;
  reasoningTokens: number | null;
  /** Start of the call, epoch milliseconds: the price of that moment counts. */
  startMs: number;
  /** What the client says it cost, null when it says nothing. */
  providedCostUsd: number | null;
  /** The span has the status `error`. */
  failed: boolean;
}

export interface SpanCost {
  costUsd: number | null;
  costStatus: CostStatus;
}

const unpriced: SpanCost = { costUsd: null, costStatus: 'unpriced' };

/**
 * The cost of a span in US dollars (contract section 3): the client's own figure, else by the bundled price table (response
 * model first, then the requested one). A call that failed and used nothing cost nothing; one that succeeded and says nothing
 * of its use is unpriced, as is a model that the table does not know. Never throws and never goes out to the network.
 */
export function priceSpan(span: PriceInput): SpanCost {
  if (span.providedCostUsd !== null) return { costUsd: span.providedCostUsd, costStatus: 'provided' };
  if (span.model === '' && span.requestModel === '') return unpriced;
  const rates = spanRates(span);
  if (rates === null) return unpriced;
  if (!says(span)) return span.failed ? { costUsd: 0, costStatus: 'priced' } : unpriced;
  return { costUsd: costOf(span, rates), costStatus: 'priced' };
}

function says(span: PriceInput): boolean {
  return (
    span.inputTokens !== null ||
    span.outputTokens !== null ||
    span.cachedTokens !== null ||
    span.cacheWriteTokens !== null ||
    span.reasoningTokens !== null
  );
}

function spanRates(span: PriceInput): ModelPrice | null {
  const rates = span.model === '' ? null : modelRates(span.model, span.provider, span.startMs);
  if (rates !== null || span.requestModel === '' || span.requestModel === span.model) return rates;
  return modelRates(span.requestModel, span.provider, span.startMs);
}

/**
 * The library's own arithmetic takes 10 to 30 us a call, more than all the rest of reading a span; this is the same sum
 * (the library is the oracle in the tests), each share of the tokens by its own rate or else by that of what holds it.
 */
function costOf(span: PriceInput, rates: ModelPrice): number {
  const input = Math.max(span.inputTokens ?? 0, 0);
  // A share cannot be larger than the whole: clients get this wrong, and the library throws.
  const cached = Math.min(span.cachedTokens ?? 0, input);
  const cacheWrite = Math.min(span.cacheWriteTokens ?? 0, input - cached);
  const output = Math.max(span.outputTokens ?? 0, 0);
  const reasoning = Math.min(span.reasoningTokens ?? 0, output);
  const inputRate = rateOf(rates['input_mtok'], input) ?? 0;
  const outputRate = rateOf(rates['output_mtok'], input) ?? 0;
  const perMillion =
    (input - cached - cacheWrite) * inputRate +
    cached * (rateOf(rates['cache_read_mtok'], input) ?? inputRate) +
    cacheWrite * (rateOf(rates['cache_write_mtok'], input) ?? inputRate) +
    (output - reasoning) * outputRate +
    reasoning * (rateOf(rates['output_reasoning_mtok'], input) ?? outputRate);
  return perMillion / 1e6 + (rateOf(rates['requests_kcount'], input) ?? 0) / 1000;
}

/** The rate of a price: a large prompt may lift all of them. */
function rateOf(price: ModelPrice[string], input: number): number | undefined {
  if (price === undefined || typeof price === 'number') return price;
  let rate = price.base;
  let start = -1;
  for (const tier of price.tiers) {
    if (input > tier.start && tier.start > start) {
      rate = tier.price;
      start = tier.start;
    }
  }
  return rate;
}

/** What was found for a model of a provider. */
interface Found {
  /** How the library is asked to find it again; null when it does not know the model. */
  query: { modelId: string; providerId: string | undefined } | null;
  /** The price depends on the moment. */
  dated: boolean;
  /** The minute that `rates` hold for, when `dated`: prices change at whole minutes only. */
  minute: number;
  rates: ModelPrice | null;
}

const mostFound = 4096;
const longestModel = 256;
/** By model, then by provider: no key has to be put together on the way. */
let found = new Map<string, Map<string, Found>>();
let foundCount = 0;

/** The rates of a model at a moment, null when the table does not have it or does not price its tokens. */
function modelRates(model: string, provider: string, atMs: number): ModelPrice | null {
  if (model.length > longestModel || provider.length > longestModel) return null;
  const known = found.get(model)?.get(provider) ?? remember(model, provider, find(model, provider, atMs));
  if (known.dated && known.query !== null) {
    const minute = Math.floor(atMs / 60_000);
    if (known.minute !== minute) {
      known.rates = lookUp(known.query.modelId, known.query.providerId, atMs)?.rates ?? null;
      known.minute = minute;
    }
  }
  return known.rates;
}

function remember(model: string, provider: string, price: Found): Found {
  // Names are the clients' to choose, so the cache starts over rather than growing.
  if (foundCount >= mostFound) {
    found = new Map();
    foundCount = 0;
  }
  const byProvider = found.get(model) ?? new Map<string, Found>();
  byProvider.set(provider, price);
  found.set(model, byProvider);
  foundCount++;
  return price;
}

function find(model: string, provider: string, atMs: number): Found {
  const minute = Math.floor(atMs / 60_000);
  for (const query of queries(model, provider)) {
    const price = lookUp(query.modelId, query.providerId, atMs);
    if (price !== null) return { query, dated: price.dated, minute, rates: price.rates };
  }
  return { query: null, dated: false, minute, rates: null };
}

/** Ways to ask for a model, the best first: with the provider, without it, and the id's own prefix as the provider. */
function queries(model: string, provider: string): { modelId: string; providerId: string | undefined }[] {
  const asked: { modelId: string; providerId: string | undefined }[] = [];
  const slash = model.indexOf('/');
  const bare = slash > 0 ? model.slice(model.lastIndexOf('/') + 1) : model;
  if (provider !== '') {
    asked.push({ modelId: model, providerId: provider });
    if (provider.includes('_')) asked.push({ modelId: model, providerId: provider.replaceAll('_', '-') });
  }
  asked.push({ modelId: model, providerId: undefined });
  if (slash > 0 && bare !== '') {
    asked.push({ modelId: bare, providerId: model.slice(0, slash) });
    if (provider !== '') asked.push({ modelId: bare, providerId: provider });
    asked.push({ modelId: bare, providerId: undefined });
  }
  // Of all providers the table knows by which names their models are recognised; OpenAI's leave out its embeddings.
  if (provider === '') asked.push({ modelId: bare, providerId: 'openai' });
  return asked;
}

function lookUp(modelId: string, providerId: string | undefined, atMs: number): { rates: ModelPrice; dated: boolean } | null {
  try {
    const timestamp = new Date(atMs);
    const price = calcPrice({}, modelId, providerId === undefined ? { timestamp } : { timestamp, providerId });
    if (price === null) return null;
    const rates = price.model_price;
    const pricesTokens =
      rates['input_mtok'] !== undefined || rates['output_mtok'] !== undefined || rates['requests_kcount'] !== undefined;
    return pricesTokens ? { rates, dated: Array.isArray(price.model.prices) } : null;
  } catch {
    // A model in the table that the library cannot price is as good as unknown.
    return null;
  }
}
