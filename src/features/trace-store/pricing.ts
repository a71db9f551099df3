import { calcPrice, type ModelPrice } from '@pydantic/genai-prices';
import type { CostStatus } from '../../contract/kinds.ts';
import { noOwnPrices, type OwnPrices } from './own-prices.ts';

/** The fields that determine the cost of a span. Models and provider: `''` when not known. */
export interface PriceInput {
  model: string;
  requestModel: string;
  provider: string;
  /** Whole input, including cached and cache-write tokens. */
  inputTokens: number | null;
  /** Includes reasoning tokens. */
  outputTokens: number | null;
  cachedTokens: number | null;
  cacheWriteTokens: number | null;
  reasoningTokens: number | null;
  /** Start of the call, epoch milliseconds: the price at that time applies. */
  startMs: number;
  /** Cost that the client sent; null when it sent none. */
  providedCostUsd: number | null;
  /** Whether the span has the status `error`. */
  failed: boolean;
}

export interface SpanCost {
  costUsd: number | null;
  costStatus: CostStatus;
}

const unpriced: SpanCost = { costUsd: null, costStatus: 'unpriced' };

/**
 * The cost of a span in US dollars (docs/semantics.md, "Cost of a span"): the client's figure, else from the project's own prices, else from the
 * bundled price table (each by the response model first, then by the requested one). A failed call without usage costs 0. A successful call
 * without usage is unpriced, as is a call of a model that has no price. Never throws and never accesses the network.
 *
 * @param own the project's own prices
 */
export function priceSpan(span: PriceInput, own: OwnPrices = noOwnPrices): SpanCost {
  if (span.providedCostUsd !== null) return { costUsd: span.providedCostUsd, costStatus: 'provided' };
  if (span.model === '' && span.requestModel === '') return unpriced;
  const priced = spanRates(span, own);
  if (priced === null) return unpriced;
  if (!says(span)) return span.failed ? { costUsd: 0, costStatus: 'priced' } : unpriced;
  return { costUsd: costOf(span, priced.rates), costStatus: 'priced' };
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

/**
 * Which model of a span its rates are found by; null when it has none.
 *
 * @param own the project's own prices
 */
export function pricedModel(span: PriceInput, own: OwnPrices = noOwnPrices): 'model' | 'requestModel' | null {
  return spanRates(span, own)?.by ?? null;
}

type PricedBy = (typeof pricedBy)[number];
const pricedBy = ['model', 'requestModel'] as const;

/** The rates of a span and the model that they are of: the project's own before those of the table. */
function spanRates(span: PriceInput, own: OwnPrices): { by: PricedBy; rates: ModelPrice } | null {
  for (const by of own.size > 0 ? pricedBy : []) {
    const rates = ownRates(span[by], span.startMs, own);
    if (rates !== null) return { by, rates };
  }
  for (const by of pricedBy) {
    const rates = tableRates(span, by);
    if (rates !== null) return { by, rates };
  }
  return null;
}

/** The project's own rates of a model, if they count at a time. */
function ownRates(model: string, atMs: number, own: OwnPrices): ModelPrice | null {
  const price = own.get(model);
  return price !== undefined && (price.fromMs === null || atMs >= price.fromMs) ? price.rates : null;
}

function tableRates(span: PriceInput, by: PricedBy): ModelPrice | null {
  return span[by] === '' ? null : modelRates(span[by], span.provider, span.startMs);
}

/**
 * The same sum as the library's, which takes 10 to 30 us a call, more than the rest of reading a span; the tests compare the two. Each kind of
 * tokens is priced at its own rate, or else at the rate of the kind that includes it.
 */
function costOf(span: PriceInput, rates: ModelPrice): number {
  const input = Math.max(span.inputTokens ?? 0, 0);
  // A part cannot exceed the whole. Some clients send such counts, for which the library throws.
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

/** The rate of a price, which may depend on the size of the prompt. */
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

/** Cache entry of a model and provider. */
interface Found {
  /** The query with which the library finds the model; null when it does not know it. */
  query: { modelId: string; providerId: string | undefined } | null;
  /** Whether the price depends on the time. */
  dated: boolean;
  /** The minute for which `rates` are valid, when `dated`: prices change only at whole minutes. */
  minute: number;
  rates: ModelPrice | null;
}

const maxFound = 4096;
const longestModel = 256;
/** By model, then by provider, so that a look-up builds no combined key. */
let found = new Map<string, Map<string, Found>>();
let foundCount = 0;

/** The rates of a model at a time; null when the table does not have the model or does not price its tokens. */
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
  // Clients choose the names, so a full cache is cleared instead of growing.
  if (foundCount >= maxFound) {
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

/** Queries for a model in order of preference: with the provider, without it, and with the id's prefix as the provider. */
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
  // Without a provider the library matches models by name patterns; those of OpenAI do not match its embedding models.
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
    // A model that the library cannot price counts as unknown.
    return null;
  }
}
