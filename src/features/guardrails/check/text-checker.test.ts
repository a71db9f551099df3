import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkText, compileBundle } from '../../../../packages/guardrails/src/index.ts';
import type { CheckRequest, Guardrail } from '../../../../packages/guardrails/src/index.ts';
import { corpusTexts } from '../../../../test/support/guardrail-quality.ts';
import { runs } from '../../../../test/support/runs.ts';
import type { ProjectPolicies } from '../policies/project-policies.ts';
import { CheckThreads } from './check-threads.ts';
import type { CheckedText } from './check-worker.ts';
import { TextChecker } from './text-checker.ts';

let revision = 0;

function policiesOf(
  guardrails: ReadonlyArray<Partial<Omit<Guardrail, 'name'>> & Pick<Guardrail, 'slug' | 'type'>>,
): ProjectPolicies {
  revision += 1;
  return {
    projectId: 'p',
    revision,
    environments: new Set(),
    configLength: JSON.stringify(guardrails).length,
    compiledSize: 0,
    guardrails: guardrails.map((guardrail) => ({
      name: guardrail.slug,
      stage: 'both',
      action: 'redact',
      config: {},
      priority: 100,
      onError: 'block',
      enabled: true,
      ...guardrail,
    })),
  };
}

/** An answer without what differs between two equal checks. */
const comparable = ({ action, text, safeUntil, results }: CheckedText) => ({
  action,
  text,
  safeUntil,
  results: results.map((result) => ({ ...result, latencyMs: 0 })),
});

describe('the answer of the service is that of the engine', () => {
  const policies = policiesOf([
    { slug: 'a-pii', type: 'pii' },
    { slug: 'b-secrets', type: 'secrets' },
    { slug: 'c-injection', type: 'prompt_injection', action: 'flag' },
    { slug: 'd-terms', type: 'blocklist', config: { terms: ['password', 'é', '\u{1f600}'] } },
    { slug: 'e-regex', type: 'regex', config: { patterns: [{ pattern: 'a+b', label: 'ab' }, { pattern: '[^ ]{3,}' }] } },
    { slug: 'f-length', type: 'max_length', action: 'flag', config: { maxCharacters: 50 } },
    { slug: 'g-schema', type: 'json_schema', action: 'flag', config: { schema: { type: 'object' } } },
    { slug: 'off', type: 'pii', enabled: false },
  ]);
  const engine = compileBundle(policies.guardrails);
  const direct = (request: CheckRequest) => comparable(checkText(engine, request));
  let threads: CheckThreads;
  let texts: TextChecker;
  beforeAll(() => {
    threads = new CheckThreads({ threads: 1 });
    texts = new TextChecker(threads);
  });
  afterAll(async () => {
    await texts.close();
    await threads.close();
  });
  /** In this thread, and in another one. */
  const both = async (request: CheckRequest) =>
    (await Promise.all([texts.check(policies, request, 0), texts.check(policies, request, Infinity)])).map(comparable);

  test('for every text of the corpora', { timeout: 60_000 }, async () => {
    for (const text of corpusTexts()) expect(await both({ text })).toEqual([direct({ text }), direct({ text })]);
  });

  test('for random texts, 100 in each run, whole and while they continue', { timeout: 300_000 }, async () => {
    const piece = fc.constantFrom(
      'jo@example.com',
      '4111 1111 1111 1111',
      'aab',
      'ghp_',
      ' password ',
      '\ud83d',
      '\ude00',
      'é',
      '{"a":',
      '}',
    );
    const text = fc
      .array(fc.oneof(piece, fc.string({ unit: 'binary', maxLength: 8 })), { maxLength: 12 })
      .map((pieces) => pieces.join(''));
    const request = fc.record({ text, final: fc.boolean(), stage: fc.constantFrom('input' as const, 'output' as const) });
    await fc.assert(
      fc.asyncProperty(fc.array(request, { minLength: 100, maxLength: 100 }), async (requests) => {
        const answers = await Promise.all(requests.map(both));
        expect(answers).toEqual(requests.map((one) => [direct(one), direct(one)]));
      }),
      { numRuns: runs({ usual: 5, nightly: 100 }), endOnFailure: true },
    );
  });
});

describe('threads', () => {
  test.runIf(process.platform === 'linux')('leave the processor to the event loop', async () => {
    const threads = new CheckThreads({ threads: 1 });
    await threads.check(policiesOf([{ slug: 'a', type: 'pii' }]), { text: 'a' });
    // The nineteenth field is the priority, counted behind the name of the program, which may have spaces.
    const niceness = readdirSync('/proc/self/task').map((thread) =>
      Number(readFileSync(`/proc/self/task/${thread}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[16]),
    );
    expect(niceness.filter((value) => value === getPriority() + 5)).toHaveLength(1);
    await threads.close();
  });

  test('check a short text that takes too many steps here, and the event loop goes on', { timeout: 30_000 }, async () => {
    const slow = policiesOf([
      { slug: 'slow', type: 'regex', config: { patterns: [{ pattern: '(a?){100}(a?){100}(a?){100}b' }] } },
    ]);
    const threads = new CheckThreads({ threads: 1 });
    const texts = new TextChecker(threads);
    const request = { text: 'a'.repeat(16_000) };
    let ended = false;
    const checking = texts.check(slow, request, 16_000).finally(() => (ended = true));
    let turns = 0;
    for (; !ended; turns += 1) await new Promise((resolve) => void setImmediate(resolve));
    expect(turns).toBeGreaterThan(100);
    expect(comparable(await checking)).toEqual(comparable(checkText(compileBundle(slow.guardrails), request)));
    await texts.close();
    await threads.close();
  });

  test('compile guardrails that would block the event loop', { timeout: 30_000 }, async () => {
    const patterns = Array.from({ length: 50 }, (_, index) => ({ pattern: `${'abcd'.repeat(1_200)}${index}`, ignoreCase: true }));
    const heavy = policiesOf([{ slug: 'heavy', type: 'regex', config: { patterns } }]);
    const checked: string[] = [];
    const outcome = checkText(compileBundle(policiesOf([]).guardrails), { text: 'a' });
    const texts = new TextChecker({ check: (_policies, { text }) => (checked.push(text), Promise.resolve(outcome)) });
    for (const text of ['first', 'second']) await texts.check(heavy, { text }, 5);
    expect(checked).toEqual(['first', 'second']);
    await texts.close();
  });

  test('that exceed their time are replaced, and every local guardrail has failed', async () => {
    const program = new URL('./hanging-worker.fixture.ts', import.meta.url);
    const threads = new CheckThreads({ threads: 1, limitMs: 500, program });
    const policies = policiesOf([
      { slug: 'a', type: 'pii', onError: 'allow' },
      { slug: 'b', type: 'pii' },
    ]);
    const [hung, ended, served] = await Promise.all([
      threads.check(policies, { text: 'hang' }),
      threads.check(policies, { text: 'end' }),
      threads.check(policies, { text: 'serve' }),
    ]);
    expect(hung).toMatchObject({
      action: 'block',
      text: 'hang',
      results: [
        { guardrail: 'a', failed: true, action: 'allow', reason: 'The check took more than its time budget.' },
        { guardrail: 'b', failed: true, action: 'block' },
      ],
    });
    expect(ended.results[0]).toMatchObject({ failed: true, reason: expect.stringContaining('ended early') as string });
    expect(served).toMatchObject({ text: 'served' });
    await threads.close();
  });

  test('take a limited number of waiting texts, and refuse the rest with Retry-After', async () => {
    const program = new URL('./hanging-worker.fixture.ts', import.meta.url);
    const threads = new CheckThreads({ threads: 1, program });
    const policies = policiesOf([{ slug: 'a', type: 'pii' }]);
    const others = { ...policies, projectId: 'q' };
    const asked = Array.from({ length: 210 }, () => threads.check(policies, { text: 'hang' }));
    const settled = Promise.allSettled([...asked, threads.check(others, { text: 'hang' })]);
    expect(threads.waiting).toBe(201);
    await threads.close();
    const refused = (await settled).map((one) =>
      one.status === 'rejected' ? (one.reason as { code: string; message: string }) : null,
    );
    expect(refused.filter((error) => error?.message.startsWith('Too many'))).toHaveLength(9);
    expect(new Set(refused.map((error) => error?.code))).toEqual(new Set(['unavailable']));
  });
});
