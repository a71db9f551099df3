import type { ModelPrice } from '@pydantic/genai-prices';

/** The whole counts that classes of tokens lie inside of, each bounded by the one that includes it. */
export interface WholeCounts {
  input: number;
  /** Inside the input. */
  cached: number;
  cacheWrite: number;
  output: number;
}

/** Tokens of one class, and the rate that the price table has for them. */
interface ClassOfTokens {
  /** The count that the class lies inside of; null where its name does not tell. */
  of: keyof WholeCounts | null;
  tokens: number;
  /** US dollars per million tokens; undefined where the table has none. */
  rate: ModelPrice[string];
}

/** The price table's fields of the classes that it knows (docs/semantics/costs.md, "Classes of tokens"). */
const fields: Readonly<Record<string, string>> = {
  inputAudio: 'input_audio_mtok',
  inputImage: 'input_image_mtok',
  inputVideo: 'input_video_mtok',
  cachedAudio: 'cache_audio_read_mtok',
  cachedImage: 'cache_image_read_mtok',
  outputAudio: 'output_audio_mtok',
  outputImage: 'output_image_mtok',
  outputVideo: 'output_video_mtok',
};

/** Classes that have the price of the whole that they lie inside of: they are no further part of it. */
const ordinary: ReadonlySet<string> = new Set([
  'inputText',
  'outputText',
  'outputAcceptedPrediction',
  'outputRejectedPrediction',
]);

/** Anthropic's price of a cache write that is kept for an hour, in input tokens. */
const hourOfCache = 2;

/**
 * The classes of a call's tokens.
 *
 * @param details JSON text of an object of token counts by class
 */
export function classesOf(details: string, rates: ModelPrice): ClassOfTokens[] {
  const counts = JSON.parse(details) as Readonly<Record<string, number>>;
  return Object.entries(counts)
    .filter(([name, tokens]) => tokens > 0 && !ordinary.has(name))
    .map(([name, tokens]): ClassOfTokens => {
      const of = wholeOf(name);
      // Audio of the input includes that which was read from a cache, as in OpenAI's usage.
      const inCache = of === 'input' ? (counts[name.replace(/^input/, 'cached')] ?? 0) : 0;
      return { of, tokens: Math.max(tokens - inCache, 0), rate: rateOfClass(name, rates) };
    });
}

function wholeOf(name: string): ClassOfTokens['of'] {
  if (/^cache_?write/i.test(name)) return 'cacheWrite';
  if (/^cached/i.test(name)) return 'cached';
  if (/^input/i.test(name)) return 'input';
  return /^output/i.test(name) ? 'output' : null;
}

function rateOfClass(name: string, rates: ModelPrice): ModelPrice[string] {
  if (name === 'cacheWrite5m') return rates['cache_write_mtok'];
  if (name === 'cacheWrite1h') return times(hourOfCache, rates['input_mtok']);
  const field = fields[name];
  return field === undefined ? undefined : rates[field];
}

/** A rate, which may depend on the size of the prompt, times a factor. */
function times(factor: number, rate: ModelPrice[string]): ModelPrice[string] {
  if (rate === undefined || typeof rate === 'number') return rate === undefined ? undefined : factor * rate;
  return { base: factor * rate.base, tiers: rate.tiers.map((tier) => ({ ...tier, price: factor * tier.price })) };
}
