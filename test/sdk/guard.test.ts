import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openGuard } from '../../packages/sdk/src/guard/index.ts';
import type { CheckAnswer, Guard, Verdict } from '../../packages/sdk/src/guard/index.ts';
import { says } from '../../src/features/model-connections/ask/fake-chat-server.fixture.ts';
import { corpusTexts } from '../support/guardrail-quality.ts';
import { openGuardedProject } from '../support/guarded-project.ts';
import type { GuardedProject } from '../support/guarded-project.ts';
import { openSdkService } from '../support/sdk-service.ts';
import type { SdkService } from '../support/sdk-service.ts';

const startMs = Date.UTC(2026, 10, 21, 13);
const card = '4111 1111 1111 1111';
let project: GuardedProject;
let service: SdkService;
let guard: Guard;

beforeAll(async () => {
  project = await openGuardedProject(startMs, 1_000_000);
});
afterAll(() => project.close());
beforeEach(() => {
  service = openSdkService(project.app.url, project.app.apiKey, project.app.clock.now());
  guard = openGuard(service, { onUnavailable: 'block' });
});

const asked = () => service.asked.map(({ what, status }) => `${what} ${status}`);
const bundles = () => asked().filter((one) => one.startsWith('GET /v1/policy-bundle'));
const bytes = ({ checkId, latencyMs, results, ...rest }: CheckAnswer) => {
  expect(checkId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(latencyMs).toBeGreaterThanOrEqual(0);
  return JSON.stringify({ ...rest, results: results.map((result) => ({ ...result, latencyMs: 0 })) });
};
const keysOf = (answer: object) => Object.keys(answer);
const remote = async (body: object) => (await project.check(body)).body as CheckAnswer;

describe('a check in the application', () => {
  test('answers as the service does, without asking it', async () => {
    const local = await guard.check(`My card is ${card}.`);
    expect(asked()).toEqual(['GET /v1/policy-bundle 200']);
    const there = await remote({ text: `My card is ${card}.` });
    expect(bytes(local)).toBe(bytes(there));
    expect(keysOf(local)).toEqual(keysOf(there));
    expect(local).toMatchObject({ action: 'redact', text: 'My card is [PAYMENT_CARD].' });
    for (const options of [
      { stage: 'output' as const },
      { environment: 'production' },
      { environment: 'nowhere' },
      { guardrails: ['cards'] },
      { guardrails: [] },
      { final: false },
    ]) {
      const text = `staged and sorry, forbidden: ${card}`;
      expect(bytes(await guard.check(text, options)), JSON.stringify(options)).toBe(bytes(await remote({ text, ...options })));
    }
    await expect(guard.check('x'.repeat(262_145))).rejects.toThrow(
      'The text is longer than 256 KiB of UTF-8; check it in parts.',
    );
    await expect(guard.check('é'.repeat(131_073))).rejects.toThrow('256 KiB');
    await expect(guard.check(7 as unknown as string)).rejects.toThrow('guard.check takes a text.');
    for (const stage of ['ouput', 'both', null]) {
      const options = { stage: stage as unknown as 'input' };
      await expect(guard.check(card, options)).rejects.toThrow('stage must be input or output.');
      await expect(guard.stream([card], options).next()).rejects.toThrow('stage must be input or output.');
    }
    const wrong = { environment: 5 as unknown as string };
    await expect(guard.check(card, wrong)).rejects.toThrow('environment must be a text.');
    await expect(guard.stream([card], wrong).next()).rejects.toThrow('environment must be a text.');
  });

  test('takes null for its options and its environment', async () => {
    const nothing = null as unknown as undefined;
    const redacted = { action: 'redact', text: '[PAYMENT_CARD]' };
    expect(await guard.check(card, nothing)).toMatchObject(redacted);
    expect(await guard.check(card, { environment: nothing })).toMatchObject(redacted);
    expect(await guard.stream([card], nothing).next()).toMatchObject({ done: false, value: '[PAYMENT_CARD]' });
  });

  test('of corpora and random guardrails answers as the service does, byte for byte', async () => {
    const made: string[] = [];
    const path = `/v1/projects/${project.app.projectId}/guardrails`;
    const add = async (type: string, action: string, config: object) => {
      const slug = `random-${made.length}`;
      const body = { slug, type, action, config, stage: 'both', environments: ['production'], priority: (made.length * 37) % 50 };
      const { id } = await project.asOwner<{ id: string }>('POST', path, body);
      made.push(id);
    };
    const texts = corpusTexts();
    const words = [...new Set(texts.flatMap((text) => text.match(/\p{L}{5,}/gu) ?? []))];
    const [regexes, lists] = fc.sample(
      fc.tuple(
        fc.array(fc.nat(words.length - 1), { minLength: 2, maxLength: 5 }),
        fc.array(fc.nat(words.length - 1), { minLength: 5, maxLength: 40 }),
      ),
      2,
    );
    const word = (index: number) => words[index] ?? 'word';
    await add('pii', 'redact', {});
    await add('secrets', 'redact', {});
    await add('prompt_injection', 'block', { threshold: 0.8 });
    await add('max_length', 'redact', { maxCharacters: 300 });
    await add('regex', 'redact', {
      patterns: regexes?.[0].map((index) => ({ pattern: `${word(index)}\\w*|\\d{3,}`, label: word(index), ignoreCase: true })),
    });
    await add('blocklist', 'redact', { terms: [...new Set(lists?.[1].map(word))], wholeWords: false });
    await add('blocklist', 'block', { terms: [...new Set(lists?.[0].map(word))] });
    const actions = new Set<string>();
    for (const [index, text] of texts.entries()) {
      if (index % 20 !== 0) continue;
      const options = { environment: 'production', stage: index % 2 === 0 ? ('input' as const) : ('output' as const) };
      const there = await remote({ text, ...options });
      expect(bytes(await guard.check(text, options)), text).toBe(bytes(there));
      actions.add(there.action);
    }
    expect([...actions]).toEqual(expect.arrayContaining(['allow', 'block', 'redact']));
    expect(asked()).toEqual(['GET /v1/policy-bundle?environment=production 200']);
    for (const id of made) {
      await fetch(`${project.app.url}${path}/${id}`, { method: 'DELETE', headers: { cookie: project.app.cookie } });
    }
  });

  test("that would take too long is the service's, and its own again while that is away", async () => {
    const path = `/v1/projects/${project.app.projectId}/guardrails`;
    const phones = { slug: 'phones', type: 'pii', config: { entities: ['phone'] }, action: 'flag', environments: ['production'] };
    const { id } = await project.asOwner<{ id: string }>('POST', path, phones);
    const options = { environment: 'production', guardrails: ['phones'] };
    const text = '+1 212 555 '.repeat(7_500);
    const there = bytes(await guard.check(text, options));
    expect(asked().slice(1)).toEqual(['POST /v1/guardrails/check 200']);
    service.away = true;
    expect(bytes(await guard.check(text, options))).toBe(there);
    service.away = false;
    await guard.flush();
    expect(asked().at(-1)).toBe('POST /v1/guardrails/report 202');
    await fetch(`${project.app.url}${path}/${id}`, { method: 'DELETE', headers: { cookie: project.app.cookie } });
  });

  test('asks the service for judges alone, and only when nothing local blocks', async () => {
    project.judges.answers(says(JSON.stringify({ triggered: true, reason: 'An insult.' })));
    const options = { environment: 'judged' };
    const local = await guard.check(`You fool, ${card}`, { ...options, guardrails: ['judged', 'cards'] });
    expect(local).toMatchObject({ action: 'block', text: 'You fool, [PAYMENT_CARD]' });
    expect(local.results).toMatchObject([
      { guardrail: 'cards', action: 'redact' },
      { guardrail: 'judged', action: 'block', reason: 'An insult.' },
    ]);
    expect(JSON.parse(service.asked[1]?.body ?? '')).toMatchObject({ guardrails: ['judged'], stage: 'input', final: true });
    expect(bytes(local)).toBe(bytes(await remote({ text: `You fool, ${card}`, ...options, guardrails: ['judged', 'cards'] })));
    const before = service.asked.length;
    expect((await guard.check('forbidden', options)).results.at(-1)).toMatchObject({ guardrail: 'judged', skipped: true });
    expect(service.asked).toHaveLength(before);
    service.away = true;
    const away = await guard.check('You fool', options);
    expect(away).toMatchObject({ action: 'block' });
    expect(away.results.at(-1)).toMatchObject({
      failed: true,
      reason: 'The judge could not be asked: the service did not answer.',
    });
  });

  test('with a judge counts once in the activity, by the action of the whole', async () => {
    const before = await project.activity();
    project.judges.answers(says(JSON.stringify({ triggered: true, reason: 'An insult.' })));
    const options = { environment: 'judged', guardrails: ['cards', 'judged'] };
    expect(await guard.check(`You fool, ${card}`, options)).toMatchObject({ action: 'block' });
    // Looking up a guardrail that is none of the bundle counts as no check.
    await guard.check('a', { guardrails: ['off'] });
    await guard.flush();
    const after = await project.activity();
    const added = (field: keyof typeof after.totals) => after.totals[field] - before.totals[field];
    expect({
      checks: added('checks'),
      allowed: added('allowed'),
      redacted: added('redacted'),
      blocked: added('blocked'),
    }).toEqual({ checks: 1, allowed: 0, redacted: 0, blocked: 1 });
    const of = (from: typeof after, slug: string) => from.byGuardrail.find(({ guardrail }) => guardrail === slug);
    for (const slug of ['cards', 'judged']) expect(of(after, slug)?.checks).toBe((of(before, slug)?.checks ?? 0) + 1);
    expect(of(after, 'judged')).toMatchObject({ blocked: (of(before, 'judged')?.blocked ?? 0) + 1 });
    expect(of(after, 'judged')?.p95LatencyMs).toEqual(expect.any(Number));
  });

  test('names a guardrail that there is not as the service does, and runs none that is disabled', async () => {
    const wrong = (await project.check({ text: 'a', guardrails: ['nope', 'cards'] })).body.error;
    await expect(guard.check('a', { guardrails: ['nope', 'cards'] })).rejects.toThrow(wrong);
    const options = { guardrails: ['off', 'cards', 'live'] };
    expect(bytes(await guard.check(card, options))).toBe(bytes(await remote({ text: card, ...options })));
    const before = service.asked.length;
    await guard.check(card, options);
    expect(service.asked).toHaveLength(before);
    // The text is not sent to find out.
    expect(service.asked.map(({ body }) => body).join()).not.toContain(card);
  });

  test('writes a span into its trace, as the service does', async () => {
    const sent: object[] = [];
    const traced = openGuard(service, {
      onUnavailable: 'block',
      activeTraceId: () => 'active',
      activeSpanId: () => 'parent',
      send: (event) => sent.push(event),
    });
    const { checkId, results } = await traced.check(card);
    await traced.check('a', { traceId: 'other' });
    expect(sent).toMatchObject([
      {
        type: 'span',
        traceId: 'active',
        parentSpanId: 'parent',
        spanId: checkId,
        name: 'guardrail check',
        kind: 'guardrail',
        output: { action: 'redact', results },
      },
      { traceId: 'other', parentSpanId: undefined },
    ]);
  });
});

describe('the bundle', () => {
  test('is refreshed every 30 seconds by its ETag while it is used', async () => {
    await guard.check('a');
    service.clock.advance(30_000);
    await service.idle();
    expect(bundles()).toEqual(['GET /v1/policy-bundle 200', 'GET /v1/policy-bundle 304']);
    const path = `/v1/projects/${project.app.projectId}/guardrails`;
    const { id } = await project.asOwner<{ id: string }>('POST', path, {
      slug: 'fresh',
      type: 'blocklist',
      config: { terms: ['fresh'] },
    });
    expect((await guard.check('fresh')).action).toBe('allow');
    service.clock.advance(30_000);
    await service.idle();
    expect((await guard.check('fresh')).action).toBe('block');
    await fetch(`${project.app.url}${path}/${id}`, { method: 'DELETE', headers: { cookie: project.app.cookie } });
    // Unused for five minutes: no more requests, and the next check refreshes first.
    for (let minute = 0; minute < 20; minute += 1) {
      service.clock.advance(30_000);
      await service.idle();
    }
    const before = bundles().length;
    expect(before).toBeLessThan(20);
    service.clock.advance(600_000);
    await service.idle();
    expect(bundles()).toHaveLength(before);
    expect((await guard.check('fresh')).action).toBe('allow');
    expect(bundles()).toHaveLength(before + 1);
    await guard.close();
  });

  test('is kept while the service is away, for as long as it is', async () => {
    await guard.check('a');
    service.away = true;
    for (let minute = 0; minute < 10; minute += 1) {
      service.clock.advance(60_000);
      await service.idle();
      expect(await guard.check(card)).toMatchObject({ action: 'redact', text: '[PAYMENT_CARD]' });
    }
    service.clock.advance(86_400_000);
    expect(await guard.check('forbidden')).toMatchObject({ action: 'block' });
    expect(service.reported).toContain(
      `The policy bundle cannot be fetched; the guardrails of the last one go on. ${project.app.url} cannot be reached: it is away.`,
    );
  });

  test('without one the service is asked; when it is away onUnavailable decides', async () => {
    const real = service.request.bind(service);
    service.request = (path, request) =>
      path.startsWith('/v1/policy-bundle') ? Promise.resolve(new Response(null, { status: 500 })) : real(path, request);
    expect(bytes(await guard.check(card))).toBe(bytes(await remote({ text: card })));
    await expect(guard.check('a', { guardrails: ['nope'] })).rejects.toThrow('There is no guardrail "nope"');
    service.away = true;
    const unavailable: Verdict = {
      checkId: expect.any(String) as string,
      action: 'block',
      text: card,
      results: [],
      safeUntil: card.length,
      policyVersion: 0,
      latencyMs: 0,
      unavailable: true,
      reason: `The text was not checked; onUnavailable is block. ${project.app.url} cannot be reached: it is away.`,
    };
    expect(await guard.check(card)).toEqual(unavailable);
    const allowed = { ...unavailable, action: 'allow', reason: expect.stringContaining('onUnavailable is allow') as string };
    expect(await guard.check(card, { onUnavailable: 'allow' })).toEqual(allowed);
    expect(await openGuard(service, { onUnavailable: 'allow' }).check(card)).toEqual(allowed);
    const shown: string[] = [];
    const through = async (onUnavailable: 'allow' | 'block') => {
      for await (const piece of guard.stream(['it is ', card], { onUnavailable })) shown.push(piece);
    };
    await expect(through('block')).rejects.toMatchObject({ name: 'GuardrailBlocked', verdict: { unavailable: true } });
    await through('allow');
    expect(shown).toEqual([`it is ${card}`]);
    service.away = false;
    expect(await guard.check(card)).toMatchObject({ action: 'redact' });
    await through('block');
    expect(shown[1]).toBe('it is [PAYMENT_CARD]');
  });

  test.each([
    ['a page', 200, '<html>'],
    ['an empty object', 200, '{}'],
    ['null', 200, 'null'],
    ['a page of an error', 400, '<html>'],
    ['too large for a proxy', 413, ''],
  ])('something else that answers for the service is no answer: %s', async (_what, status, body) => {
    service.request = () => Promise.resolve(new Response(body, { status }));
    expect(await guard.check('forbidden')).toMatchObject({ action: 'block', unavailable: true, results: [] });
    expect(await guard.check('forbidden', { onUnavailable: 'allow' })).toMatchObject({ action: 'allow', unavailable: true });
  });

  test.each([
    [300, 300],
    [10_000, 15_000],
    [60_000, 15_000],
  ])('a client that waits %d ms for an answer waits %d ms for a check', async (timeoutMs, expected) => {
    const limits: Array<number | undefined> = [];
    const impatient: SdkService = {
      ...service,
      timeoutMs,
      request(path, request) {
        if (path === '/v1/guardrails/check') limits.push(request?.timeoutMs);
        return Promise.reject(new Error('away'));
      },
    };
    await openGuard(impatient, { onUnavailable: 'block' }).check('a');
    expect(limits).toEqual([expected]);
  });
});
