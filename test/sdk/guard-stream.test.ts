import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import { GuardrailBlocked, openGuard } from '../../packages/sdk/src/guard/index.ts';
import type { BundledGuardrail, Guard, TextSource, Verdict } from '../../packages/sdk/src/guard/index.ts';
import type { Service } from '../../packages/sdk/src/service.ts';
import { corpusTexts } from '../support/guardrail-quality.ts';
import { manualClock } from '../support/sdk-service.ts';

type Guardrail = Pick<BundledGuardrail, 'type'> & Partial<BundledGuardrail>;
let guardrails: Guardrail[];
let guard: Guard;

/** A service that has a bundle and nothing else. */
function openBundle(): Guard {
  const clock = manualClock(Date.UTC(2026, 10, 21));
  const defaults = { name: '', stage: 'both', action: 'redact', config: {}, priority: 1, onError: 'block', remote: false };
  const bundled = guardrails.map((guardrail, index) => ({ ...defaults, slug: `g${index}`, ...guardrail }));
  const bundle = { version: 3, etag: '"1"', compiledAt: '', environment: null, guardrails: bundled };
  const request: Service['request'] = (path) =>
    path === '/v1/policy-bundle'
      ? Promise.resolve({ status: 200, ok: true, headers: new Headers(), body: bundle })
      : Promise.reject(new Error('away'));
  return openGuard({ clock, timeoutMs: 10_000, random: () => 0.5, report: () => undefined, request }, { onUnavailable: 'block' });
}

beforeEach(() => {
  guardrails = [{ type: 'pii' }, { type: 'secrets' }, { type: 'prompt_injection', action: 'flag' }];
  guard = openBundle();
});

interface Run {
  shown: string;
  verdict: Verdict | null;
  blocked: Verdict | null;
  /** For each piece, how many characters of the text were held back after it. */
  held: number[];
}

async function run(pieces: readonly string[]): Promise<Run> {
  const result: Run = { shown: '', verdict: null, blocked: null, held: [] };
  let received = 0;
  const source = (async function* () {
    for (const piece of pieces) {
      if (received > 0) result.held.push(received - result.shown.length);
      received += piece.length;
      yield piece;
    }
  })();
  const stream = guard.stream(source);
  try {
    for (let step = await stream.next(); ; step = await stream.next()) {
      if (step.done) {
        result.verdict = step.value;
        break;
      }
      result.shown += step.value;
    }
  } catch (error) {
    if (!(error instanceof GuardrailBlocked)) throw error;
    result.blocked = error.verdict;
  }
  return result;
}

function cut(text: string, cuts: readonly number[]): string[] {
  const places = [...new Set([0, ...cuts.map((at) => at % (text.length + 1)), text.length])].sort((a, b) => a - b);
  return places.slice(1).map((place, index) => text.slice(places[index], place));
}

const without = ({ checkId: _checkId, latencyMs: _latencyMs, results, ...rest }: Verdict) => ({
  ...rest,
  results: results.map((result) => ({ ...result, latencyMs: 0 })),
});

test('corpora cut into random pieces: what is shown is the text of a check of the whole', async () => {
  const cuts = fc.sample(fc.array(fc.nat(), { minLength: 1, maxLength: 60 }), { numRuns: 200, seed: 7 });
  let replaced = 0;
  for (const [index, text] of corpusTexts().entries()) {
    if (index % 12 !== 0) continue;
    const whole = await guard.check(text, { stage: 'output' });
    const { shown, verdict, blocked } = await run(cut(text, cuts[index % cuts.length] ?? []));
    expect(shown).toBe(whole.text);
    expect(blocked).toBeNull();
    if (verdict) expect(without(verdict)).toEqual(without(whole));
    if (whole.action === 'redact') replaced += 1;
  }
  expect(replaced).toBeGreaterThan(25);
});

test('the built-in entities hold back fewer than 40 characters at the median', async () => {
  const held: number[] = [];
  // Texts without a match: where characters are replaced, those shown are no measure.
  for (const [index, text] of corpusTexts().entries()) {
    if (index % 25 !== 0 || text.length < 80 || (await guard.check(text)).action === 'redact') continue;
    held.push(...(await run(text.match(/[^]{1,4}/g) ?? [])).held);
  }
  held.sort((a, b) => a - b);
  expect(held.length).toBeGreaterThan(300);
  expect(held[held.length >> 1]).toBeLessThan(40);
});

test('a match that blocks ends the stream with the verdict, and nothing of it was shown', async () => {
  guardrails = [{ type: 'blocklist', slug: 'a-words', action: 'block', config: { terms: ['forbidden'] } }, { type: 'pii' }];
  guard = openBundle();
  const { shown, blocked } = await run(['Mail jo@example.com: it is for', 'bidden', ', and so on', ' and on']);
  expect(shown).toBe('Mail [EMAIL]: it is ');
  expect(blocked).toMatchObject({ action: 'block', results: [{ guardrail: 'a-words', action: 'block' }, { action: 'redact' }] });
  expect(new GuardrailBlocked(blocked as Verdict).message).toBe('The text was blocked by a-words.');
  expect((await run(['it is forbidden', 'ness'])).shown).toBe('it is forbiddenness');
});

test('a source of any kind is read, and cancelled when the consumer or a block stops', async () => {
  const all = async (source: TextSource) => {
    let shown = '';
    for await (const piece of guard.stream(source)) shown += piece;
    return shown;
  };
  expect(await all(['a ', 'b'])).toBe('a b');
  expect(await all(new ReadableStream({ start: (to) => (to.enqueue('a '), to.enqueue('b'), to.close()) }))).toBe('a b');
  let cancelled = 0;
  const endless = () =>
    new ReadableStream<string>({ pull: (to) => to.enqueue('word '), cancel: () => void (cancelled += 1) }, { highWaterMark: 0 });
  for await (const _piece of guard.stream(endless())) break;
  // As in a browser that does not iterate over streams.
  const { getReader } = ReadableStream.prototype;
  const bare = endless();
  for await (const _piece of guard.stream({ getReader: getReader.bind(bare) } as unknown as ReadableStream<string>)) break;
  expect(cancelled).toBe(2);
  await expect(all([new Uint8Array(1)] as unknown as string[])).rejects.toThrow('decode bytes with a TextDecoderStream');
  const long = 'word '.repeat(10_000);
  expect(await all([long])).toBe(long);
  await expect(all([long, long, long, long, long, long])).rejects.toThrow('longer than 256 KiB');
  await expect(
    all(
      (async function* () {
        yield 'a';
        throw new Error('the model failed');
      })(),
    ),
  ).rejects.toThrow('the model failed');
});

test('without a judge that answers everything is held until its end, and the judge has failed', async () => {
  guardrails = [{ type: 'llm_judge', slug: 'judge', action: 'flag', remote: true, config: null, onError: 'allow' }];
  guard = openBundle();
  const { shown, verdict, held } = await run(['some ', 'words ', 'here']);
  expect(held).toEqual([5, 11]);
  expect(shown).toBe('some words here');
  expect(verdict?.results).toMatchObject([{ guardrail: 'judge', failed: true, action: 'allow' }]);
});

test('the stage is output by default, also where the option is undefined', async () => {
  guardrails = [{ type: 'pii', stage: 'output' }];
  for (const options of [{}, { stage: undefined }]) {
    guard = openBundle();
    const { value } = await guard.stream('a@example.com', options).next();
    expect(value).toBe('[EMAIL]');
  }
});

test('a text is a stream of one piece; what is no source is refused', async () => {
  let shown = '';
  for await (const piece of guard.stream('Write to a@example.com.')) shown += piece;
  expect(shown).toBe('Write to [EMAIL].');
  for (const source of [null, 7, undefined, {}, { getReader: true }]) {
    const read = async () => {
      for await (const piece of guard.stream(source as unknown as string)) expect(piece).toBe('');
    };
    await expect(read()).rejects.toThrow('guard.stream takes a text or its pieces');
  }
});
