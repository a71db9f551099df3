import type { ModelPrice } from '@pydantic/genai-prices';
import type { CostStatus } from '../../contract/kinds.ts';
import { noOwnPrices, type OwnPrices } from './own-prices.ts';
import { isFree, modelRates } from './price-table.ts';
import { classesOf } from './token-classes.ts';
import type { WholeCounts } from './token-classes.ts';

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
  /** Tokens of further classes: JSON text of an object of counts; `''` for none. */
  usageDetails: string;
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
  const ofProject = ownRatesOf(span, own);
  if (ofProject === null && pricedBy.some((by) => span[by] !== '' && isFree(span[by], span.provider, span.startMs)))
    return { costUsd: 0, costStatus: 'priced' };
  const priced = ofProject ?? tableRates(span);
  if (priced === null) return unpriced;
  if (!says(span)) return span.failed ? { costUsd: 0, costStatus: 'priced' } : unpriced;
  return costOf(span, priced.rates);
}

function says(span: PriceInput): boolean {
  return (
    span.inputTokens !== null ||
    span.outputTokens !== null ||
    span.cachedTokens !== null ||
    span.cacheWriteTokens !== null ||
    span.reasoningTokens !== null ||
    span.usageDetails !== ''
  );
}

/**
 * Which model of a span its rates are found by; null when it has none.
 *
 * @param own the project's own prices
 */
export function pricedModel(span: PriceInput, own: OwnPrices = noOwnPrices): 'model' | 'requestModel' | null {
  return (ownRatesOf(span, own) ?? tableRates(span))?.by ?? null;
}

type PricedBy = (typeof pricedBy)[number];
const pricedBy = ['model', 'requestModel'] as const;

/** Rates, and the model of a span that they are of. */
interface SpanRates {
  by: PricedBy;
  rates: ModelPrice;
}

function ownRatesOf(span: PriceInput, own: OwnPrices): SpanRates | null {
  for (const by of own.size > 0 ? pricedBy : []) {
    const rates = ownRates(span[by], span.startMs, own);
    if (rates !== null) return { by, rates };
  }
  return null;
}

/** The project's own rates of a model, if they count at a time. */
function ownRates(model: string, atMs: number, own: OwnPrices): ModelPrice | null {
  const price = own.get(model);
  return price !== undefined && (price.fromMs === null || atMs >= price.fromMs) ? price.rates : null;
}

function tableRates(span: PriceInput): SpanRates | null {
  for (const by of pricedBy) {
    const rates = modelRates(span[by], span.provider, span.startMs);
    if (rates !== null) return { by, rates };
  }
  return null;
}

/**
 * The same sum as the library's, which takes 10 to 30 us a call, more than the rest of reading a span; the tests compare the two. Each kind of
 * tokens is priced at its own rate, or else at the rate of the kind that includes it.
 */
function costOf(span: PriceInput, rates: ModelPrice): SpanCost {
  const input = Math.max(span.inputTokens ?? 0, 0);
  // A part cannot exceed the whole. Some clients send such counts, for which the library throws.
  const cached = Math.min(span.cachedTokens ?? 0, input);
  const cacheWrite = Math.min(span.cacheWriteTokens ?? 0, input - cached);
  const output = Math.max(span.outputTokens ?? 0, 0);
  const reasoning = Math.min(span.reasoningTokens ?? 0, output);
  const inputRate = rateOf(rates['input_mtok'], input) ?? 0;
  const outputRate = rateOf(rates['output_mtok'], input) ?? 0;
  const rest = { input: input - cached - cacheWrite, cached, cacheWrite, output: output - reasoning };
  const further = span.usageDetails === '' ? nothing : takeClasses(span.usageDetails, rates, rest, input);
  const perMillion =
    rest.input * inputRate +
    rest.cached * (rateOf(rates['cache_read_mtok'], input) ?? inputRate) +
    rest.cacheWrite * (rateOf(rates['cache_write_mtok'], input) ?? inputRate) +
    rest.output * outputRate +
    reasoning * (rateOf(rates['output_reasoning_mtok'], input) ?? outputRate) +
    further.perMillion;
  const costUsd = perMillion / 1e6 + (rateOf(rates['requests_kcount'], input) ?? 0) / 1000;
  return { costUsd, costStatus: further.isPartial ? 'partly_priced' : 'priced' };
}

const nothing = { perMillion: 0, isPartial: false };

/**
 * Takes the tokens of further classes out of the counts that they lie inside of, and prices them. A class without a rate adds 0.
 *
 * @param rest what is left of each count; changed
 * @param input the whole input, which may decide the tier
 */
function takeClasses(details: string, rates: ModelPrice, rest: WholeCounts, input: number): typeof nothing {
  const further = { ...nothing };
  for (const { of, tokens, rate } of classesOf(details, rates)) {
    const taken = of === null ? tokens : Math.min(tokens, rest[of]);
    if (of !== null) rest[of] -= taken;
    const perMillion = rateOf(rate, input);
    if (perMillion === undefined) further.isPartial ||= taken > 0;
    else further.perMillion += taken * perMillion;
  }
  return further;
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
