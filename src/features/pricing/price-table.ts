import { calcPrice, type ModelPrice } from '@pydantic/genai-prices';
import { isFreeCall } from './free-calls.ts';

/** What the price table has of a model that a provider answers. */
interface Entry {
  /** The query with which the library finds the price; null when it has none. */
  query: Query | null;
  /** The provider of the model by its id in the table; undefined when the table does not have the model. */
  provider: string | undefined;
  isFree: boolean;
  /** Whether the price depends on the time. */
  dated: boolean;
  /** The minute for which `rates` are valid, when `dated`: prices change only at whole minutes. */
  minute: number;
  rates: ModelPrice | null;
}

interface Query {
  modelId: string;
  providerId: string | undefined;
}

const maxEntries = 4096;
const longestName = 256;
/** By model, then by provider, so that a look-up builds no combined key. */
let entries = new Map<string, Map<string, Entry>>();
let entryCount = 0;

/**
 * The rates of a model at a time; null when the table does not have the model or does not price its tokens. Never throws.
 *
 * @param provider `''` when not known
 * @param atMs epoch milliseconds
 */
export function modelRates(model: string, provider: string, atMs: number): ModelPrice | null {
  const entry = entryOf(model, provider, atMs);
  if (entry === null) return null;
  if (entry.dated && entry.query !== null) {
    const minute = Math.floor(atMs / 60_000);
    if (entry.minute !== minute) {
      entry.rates = lookUp(entry.query, atMs)?.rates ?? null;
      entry.minute = minute;
    }
  }
  return entry.rates;
}

/**
 * The provider of a model in the price table, by its id there; undefined for a model that the table does not have. Never throws.
 *
 * @param atMs epoch milliseconds: the price of the same call is remembered with it
 */
export function modelProvider(model: string, atMs: number): string | undefined {
  return entryOf(model, '', atMs)?.provider;
}

/**
 * Whether a call costs nothing by who answers it. Never throws.
 *
 * @param atMs epoch milliseconds: the price of the same call is remembered with it
 */
export function isFree(model: string, provider: string, atMs: number): boolean {
  return entryOf(model, provider, atMs)?.isFree ?? isFreeCall(model, provider);
}

/** null for names that are not remembered: none, and those that are longer than any in the table. */
function entryOf(model: string, provider: string, atMs: number): Entry | null {
  if (model === '' || model.length > longestName || provider.length > longestName) return null;
  return entries.get(model)?.get(provider) ?? remember(model, provider, find(model, provider, atMs));
}

function remember(model: string, provider: string, entry: Entry): Entry {
  // Clients choose the names, so a full cache is cleared instead of growing.
  if (entryCount >= maxEntries) {
    entries = new Map();
    entryCount = 0;
  }
  const byProvider = entries.get(model) ?? new Map<string, Entry>();
  byProvider.set(provider, entry);
  entries.set(model, byProvider);
  entryCount++;
  return entry;
}

function find(model: string, provider: string, atMs: number): Entry {
  const entry: Entry = {
    query: null,
    provider: undefined,
    isFree: isFreeCall(model, provider),
    dated: false,
    minute: Math.floor(atMs / 60_000),
    rates: null,
  };
  for (const query of queries(model, provider)) {
    const price = lookUp(query, atMs);
    entry.provider ??= price?.provider;
    if (price?.rates) return { ...entry, query, dated: price.dated, rates: price.rates };
  }
  return entry;
}

/** Queries for a model in order of preference: with the provider, without it, and with the id's prefix as the provider. */
function queries(model: string, provider: string): Query[] {
  const asked: Query[] = [];
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

/** @returns null rates for a model whose tokens have no price */
function lookUp(
  { modelId, providerId }: Query,
  atMs: number,
): { rates: ModelPrice | null; provider: string; dated: boolean } | null {
  try {
    const timestamp = new Date(atMs);
    const price = calcPrice({}, modelId, providerId === undefined ? { timestamp } : { timestamp, providerId });
    if (price === null) return null;
    const rates = price.model_price;
    const pricesTokens =
      rates['input_mtok'] !== undefined || rates['output_mtok'] !== undefined || rates['requests_kcount'] !== undefined;
    return { rates: pricesTokens ? rates : null, provider: price.provider.id, dated: Array.isArray(price.model.prices) };
  } catch {
    // A model that the library cannot price counts as unknown.
    return null;
  }
}
