import { calcPrice, waitForUpdate } from '@pydantic/genai-prices';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ownPricesOf } from './own-prices.ts';
import { priceSpan, type PriceInput } from './price-span.ts';

const nothing: PriceInput = {
  model: '',
  requestModel: '',
  provider: '',
  inputTokens: null,
  outputTokens: null,
  cachedTokens: null,
  cacheWriteTokens: null,
  reasoningTokens: null,
  usageDetails: '',
  startMs: Date.UTC(2026, 10, 20),
  providedCostUsd: null,
  failed: false,
};

function price(input: Partial<PriceInput>): ReturnType<typeof priceSpan> {
  return priceSpan({ ...nothing, ...input });
}

const embedded = { inputTokens: 100_000, outputTokens: null };
const sonnet = { model: 'claude-sonnet-4-5-20250929', provider: 'anthropic' };

describe('costs computed by hand', () => {
  // The comments give the rates of the bundled table, per million tokens.
  test.each<[string, Partial<PriceInput>, number]>([
    // 0.02 in
    ['an embedding whose provider is not named', { ...embedded, model: 'text-embedding-3-small' }, 0.002],
    ['likewise by a gateway', { ...embedded, model: 'openai/text-embedding-3-small' }, 0.002],
    [
      // 2.5 in, 10 out
      'gpt-4o, nothing cached',
      { model: 'gpt-4o', provider: 'openai', inputTokens: 1_000_000, outputTokens: 100_000 },
      2.5 + 1,
    ],
    [
      // 0.75 in, 0.075 cached, 4.5 out: 176 x 0.75 + 1024 x 0.075 + 85 x 4.5
      'gpt-5.4-mini, cached, reasoning inside the output',
      { model: 'gpt-5.4-mini', provider: 'openai', inputTokens: 1200, cachedTokens: 1024, outputTokens: 85, reasoningTokens: 32 },
      0.0005913,
    ],
    [
      // 3 in, 0.3 cached, 3.75 written, 15 out: 500 x 3 + 4200 x 0.3 + 300 x 3.75 + 210 x 15
      'claude-sonnet-4-5, cached and cache-write',
      { ...sonnet, inputTokens: 5000, cachedTokens: 4200, cacheWriteTokens: 300, outputTokens: 210 },
      0.007035,
    ],
    [
      // over 200,000: 6 in, 0.6 cached, 22.5 out: 200,000 x 6 + 100,000 x 0.6 + 1000 x 22.5
      'claude-sonnet-4-5, the upper tier',
      { ...sonnet, inputTokens: 300_000, cachedTokens: 100_000, outputTokens: 1000 },
      1.2825,
    ],
    [
      // 1.25 in, 10 out to 200,000
      'gemini-2.5-pro, the last token of the lower tier',
      { model: 'gemini-2.5-pro', provider: 'gcp.gemini', inputTokens: 200_000, outputTokens: 1000 },
      0.26,
    ],
    [
      // 2.5 in, 15 out over 200,000
      'gemini-2.5-pro, the first token of the upper tier',
      { model: 'gemini-2.5-pro', provider: 'gcp.gemini', inputTokens: 200_001, outputTokens: 1000 },
      0.5150025,
    ],
    // 0.02 in
    ['text-embedding-3-small', { model: 'text-embedding-3-small', provider: 'openai', inputTokens: 1_000_000 }, 0.02],
    // 3 in, 15 out
    ['grok-4 of x_ai', { model: 'grok-4', provider: 'x_ai', inputTokens: 1000, outputTokens: 1000 }, 0.018],
    ['grok-4 of x-ai', { model: 'grok-4', provider: 'x-ai', inputTokens: 1000, outputTokens: 1000 }, 0.018],
    // 2.5 in
    ['an unknown provider', { model: 'gpt-4o', provider: 'our gateway', inputTokens: 1000 }, 0.0025],
    ['an id with its provider', { model: 'openai/gpt-4o', inputTokens: 1000 }, 0.0025],
    ['an id with its provider, and another one', { model: 'openai/gpt-4o', provider: 'litellm', inputTokens: 1000 }, 0.0025],
    ['an id of another provider', { model: 'anthropic/claude-sonnet-4-5', inputTokens: 1000 }, 0.003],
    // More cached than input counts as all of it cached: 1000 x 1.25
    ['more cached than input', { model: 'gpt-4o', inputTokens: 1000, cachedTokens: 5000, cacheWriteTokens: 9 }, 0.00125],
  ])('%s', (_what, input, cost) => {
    const { costUsd, costStatus } = price(input);
    expect(costStatus).toBe('priced');
    expect(costUsd).toBeCloseTo(cost, 12);
  });
});

test('the response model is priced first, then the requested one', () => {
  const usage = { provider: 'openai', inputTokens: 1_000_000 };
  expect(price({ ...usage, model: 'gpt-4o', requestModel: 'gpt-5.4-mini' }).costUsd).toBeCloseTo(2.5, 12);
  expect(price({ ...usage, model: 'gpt-5.4-mini-2026-03-05', requestModel: 'gpt-5.4-mini' }).costUsd).toBeCloseTo(0.75, 12);
});

test('the price on the day of the call applies', () => {
  const o3 = { model: 'o3', provider: 'openai', inputTokens: 1_000_000 };
  // o3 became cheaper on 2025-06-10: 10, then 2.
  expect(price({ ...o3, startMs: Date.UTC(2025, 5, 9, 23, 59) }).costUsd).toBeCloseTo(10, 12);
  expect(price({ ...o3, startMs: Date.UTC(2025, 5, 10) }).costUsd).toBeCloseTo(2, 12);
  expect(price({ ...o3, startMs: Date.UTC(2025, 5, 9) }).costUsd).toBeCloseTo(10, 12);
});

describe('the cost status', () => {
  const known = { model: 'gpt-4o', provider: 'openai' };
  test.each<[string, Partial<PriceInput>, ReturnType<typeof priceSpan>]>([
    ['what the client says', { ...known, inputTokens: 5, providedCostUsd: 0.25 }, { costUsd: 0.25, costStatus: 'provided' }],
    ['a provided cost without a model', { providedCostUsd: 0 }, { costUsd: 0, costStatus: 'provided' }],
    ['an unknown model', { model: 'no-such-model', inputTokens: 5 }, { costUsd: null, costStatus: 'unpriced' }],
    ['no model', { inputTokens: 5 }, { costUsd: null, costStatus: 'unpriced' }],
    ['no usage', known, { costUsd: null, costStatus: 'unpriced' }],
    ['no usage of a call that failed', { ...known, failed: true }, { costUsd: 0, costStatus: 'priced' }],
    ['a failed call of an unknown model', { model: 'no-such-model', failed: true }, { costUsd: null, costStatus: 'unpriced' }],
    ['usage of nothing', { ...known, inputTokens: 0, outputTokens: 0 }, { costUsd: 0, costStatus: 'priced' }],
    ['a model priced by the hour', { model: 'whisper-1', inputTokens: 5 }, { costUsd: null, costStatus: 'unpriced' }],
    ['a name without end', { model: 'gpt-4o'.padEnd(100_000, 'x'), inputTokens: 5 }, { costUsd: null, costStatus: 'unpriced' }],
  ])('%s', (_what, input, expected) => {
    expect(price(input)).toEqual(expected);
  });
});

describe('classes of tokens', () => {
  const audio = { model: 'gpt-audio', provider: 'openai' };
  const opus = { model: 'claude-sonnet-4-5', provider: 'anthropic' };
  test.each<[string, Partial<PriceInput>, object, number, 'priced' | 'partly_priced']>([
    // 2.5 in, 32 audio in, 10 out, 64 audio out: 900 x 2.5 + 100 x 32 + 50 x 10 + 150 x 64
    [
      'audio both ways',
      { ...audio, inputTokens: 1000, outputTokens: 200 },
      { inputAudio: 100, outputAudio: 150 },
      0.01555,
      'priced',
    ],
    // 3 in, 3.75 written: 1000 x 3 + 100 x 3.75 + 200 x 6
    [
      'cache writes of both lengths',
      { ...opus, inputTokens: 1300, cacheWriteTokens: 300 },
      { cacheWrite5m: 100, cacheWrite1h: 200 },
      0.004575,
      'priced',
    ],
    // gpt-4o has no rate for audio: 900 x 2.5
    ['a class without a rate adds 0', { model: 'gpt-4o', inputTokens: 1000 }, { inputAudio: 100 }, 0.00225, 'partly_priced'],
    ['none of it', { model: 'gpt-4o', inputTokens: 1000 }, { inputAudio: 0 }, 0.0025, 'priced'],
    ['a class of our own name', { model: 'gpt-4o', inputTokens: 1000 }, { rerankUnits: 7 }, 0.0025, 'partly_priced'],
    // More of a class than of the whole counts as the whole.
    ['more audio than input', { ...audio, inputTokens: 10 }, { inputAudio: 1000 }, 0.00032, 'priced'],
    // 4 in, 0.4 cached, 32 audio in, 0.4 cached audio: 600 x 4 + 200 x 32 + 100 x 0.4 + 100 x 0.4
    [
      'audio that was read from a cache',
      { model: 'gpt-realtime', provider: 'openai', inputTokens: 1000, cachedTokens: 200 },
      { inputAudio: 300, cachedAudio: 100 },
      0.00888,
      'priced',
    ],
  ])('%s', (_what, input, details, cost, costStatus) => {
    const priced = price({ ...input, usageDetails: JSON.stringify(details) });
    expect(priced.costStatus).toBe(costStatus);
    expect(priced.costUsd).toBeCloseTo(cost, 12);
  });
});

interface Bundled {
  id: string;
  models: { id: string; prices: unknown }[];
}

test('every model of the table costs the same as with the library, at any time and usage', async () => {
  const providers = (await waitForUpdate()) as unknown as Bundled[];
  const models = providers.flatMap((provider) => provider.models.map((model) => ({ provider: provider.id, model: model.id })));
  expect(models.length).toBeGreaterThan(1000);
  const tokens = fc.oneof(fc.nat(1000), fc.nat(2_000_000));
  const moment = fc.integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2027, 0, 1) });
  const call = fc.record({
    of: fc.constantFrom(...models),
    input: tokens,
    cached: tokens,
    write: tokens,
    output: tokens,
    reasoning: tokens,
    audioIn: fc.oneof(fc.constant(0), tokens),
    audioOut: fc.oneof(fc.constant(0), tokens),
    startMs: moment,
  });
  fc.assert(
    fc.property(call, ({ of: { model, provider }, input, cached, write, output, reasoning, audioIn, audioOut, startMs }) => {
      const usage = {
        input_tokens: input,
        cache_read_tokens: Math.min(cached, input),
        cache_write_tokens: Math.min(write, input - Math.min(cached, input)),
        output_tokens: output,
        output_reasoning_tokens: Math.min(reasoning, output),
      };
      const audio = {
        inputAudio: Math.min(audioIn, input - usage.cache_read_tokens - usage.cache_write_tokens),
        outputAudio: Math.min(audioOut, output - usage.output_reasoning_tokens),
      };
      const theirs = calcPrice(usage, model, { providerId: provider, timestamp: new Date(startMs) });
      const rates = theirs?.model_price ?? {};
      // Priced only by the hour, page or image, so tokens do not determine the cost.
      if (theirs === null || !['input_mtok', 'output_mtok', 'requests_kcount'].some((name) => rates[name] !== undefined)) return;
      const inputs = { inputTokens: input, cachedTokens: cached, cacheWriteTokens: write };
      const ours = price({ model, provider, startMs, ...inputs, outputTokens: output, reasoningTokens: reasoning });
      expect(ours.costStatus).toBe('priced');
      expect(ours.costUsd).toBeCloseTo(theirs.total_price, 9);
      if (rates['input_audio_mtok'] === undefined || rates['output_audio_mtok'] === undefined) return;
      const withAudio = {
        ...usage,
        input_audio_tokens: audio.inputAudio,
        cache_audio_read_tokens: 0,
        output_audio_tokens: audio.outputAudio,
      };
      const heard = calcPrice(withAudio, model, { providerId: provider, timestamp: new Date(startMs) });
      const counts = { ...inputs, outputTokens: output, reasoningTokens: reasoning, usageDetails: JSON.stringify(audio) };
      expect(price({ model, provider, startMs, ...counts }).costUsd).toBeCloseTo(heard?.total_price ?? -1, 9);
    }),
    { numRuns: 2000 },
  );
});

test('prices change at whole minutes only, which the cache relies on', async () => {
  const providers = (await waitForUpdate()) as unknown as Bundled[];
  const times = JSON.stringify(providers).matchAll(/"(?:start|end)_time":"([^"]+)"/g);
  const found = [...times].map(([, time]) => time);
  expect(found.length).toBeGreaterThan(0);
  for (const time of found) expect(time).toMatch(/^\d\d:\d\d:00(?:\.0+)?(?:Z|[+-]\d\d:\d\d)$/);
});

describe('calls that cost nothing', () => {
  const used = { inputTokens: 100, outputTokens: 10 };

  test.each<[Partial<PriceInput>]>([
    [{ model: 'llama3.3', provider: 'ollama' }],
    [{ model: 'llama3.3', provider: 'Ollama-Chat' }],
    [{ model: 'qwen3', provider: 'vllm' }],
    [{ model: 'qwen3', provider: 'lm_studio' }],
    [{ model: 'qwen3', provider: 'LM Studio' }],
    [{ model: 'qwen3', provider: 'llama_cpp' }],
    [{ model: 'qwen3', provider: 'llama.cpp' }],
    [{ model: 'qwen3', provider: 'llamafile' }],
    [{ model: 'qwen3', provider: 'localai' }],
    [{ model: 'ollama/llama3.3' }],
    [{ requestModel: 'ollama/llama3.3' }],
    // A model that costs at its own provider.
    [{ model: 'gpt-4o', provider: 'vllm-openai' }],
    [{ model: 'deepseek/deepseek-r1:free', provider: 'openrouter' }],
  ])('%o', (call) => {
    expect(price({ ...used, ...call })).toEqual({ costUsd: 0, costStatus: 'priced' });
  });

  test.each<[Partial<PriceInput>]>([
    [{ model: 'ollama', provider: '' }],
    [{ model: 'vllm-model', provider: 'somebody' }],
    [{ model: 'model:free-of-charge', provider: 'openrouter' }],
    [{ model: 'somebody/ollama', provider: '' }],
  ])('%o is none', (call) => {
    expect(price({ ...used, ...call })).toEqual({ costUsd: null, costStatus: 'unpriced' });
  });

  test('unless the project has a price of the model, or the client sent the cost', () => {
    const call = { ...nothing, ...used, model: 'llama3.3', provider: 'ollama' };
    const fields = { cachedInputPerMillion: null, cacheWritePerMillion: null, fromMs: null };
    const own = ownPricesOf([{ model: 'llama3.3', inputPerMillion: 1, outputPerMillion: 0, ...fields }]);
    expect(priceSpan(call, own)).toEqual({ costUsd: 0.0001, costStatus: 'priced' });
    expect(priceSpan({ ...call, providedCostUsd: 0.5 })).toEqual({ costUsd: 0.5, costStatus: 'provided' });
  });
});
