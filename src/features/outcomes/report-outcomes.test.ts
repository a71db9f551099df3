import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ServiceError } from '../../contract/errors.ts';
import { nowMs, openOutcomesService } from './outcomes-service.fixture.ts';
import type { OutcomesService } from './outcomes-service.fixture.ts';
import { dayMs } from '../../contract/durations.ts';

const at = (ms: number) => new Date(ms).toISOString();
const good = { traceId: 't1', kind: 'order' };

let service: OutcomesService;
beforeAll(async () => {
  service = await openOutcomesService();
});
afterAll(() => service.close());

async function totals(project: ReturnType<OutcomesService['project']>) {
  await service.pipeline.drain();
  return (await service.read(project, 'summary')).body.totals as Array<Record<string, unknown>>;
}

describe('a report', () => {
  test('is one outcome, or several', async () => {
    const project = service.project();
    expect(await service.report(project, good)).toMatchObject({ status: 202, body: { accepted: 1, rejected: [] } });
    const several = await service.report(project, {
      outcomes: [good, { ...good, value: -2.5, currency: 'EUR', success: false }],
    });
    expect(several).toMatchObject({ status: 202, body: { accepted: 2, rejected: [] } });
    expect(await totals(project)).toMatchObject([
      { kind: 'order', currency: 'EUR', count: 1, successCount: 0, successRate: 0, value: -2.5, costPerSuccess: null },
      { kind: 'order', currency: 'USD', count: 2, successCount: 0, successRate: null, value: 0, cost: 0, costPerOutcome: 0 },
    ]);
  });

  test('may name a project, which the key determines', async () => {
    const project = service.project();
    const { projectId } = service.project();
    for (const body of [
      { ...good, projectId },
      { outcomes: [good], projectId },
    ])
      expect(await service.report(project, body)).toMatchObject({ status: 202, body: { accepted: 1, rejected: [] } });
    expect(await totals(project)).toMatchObject([{ count: 2 }]);
    expect(await service.report(project, { outcomes: [{ ...good, projectId }] })).toMatchObject({ status: 400 });
  });

  test('rejects bad outcomes one by one, with the index of each', async () => {
    const project = service.project('free');
    const bad = [
      'text',
      null,
      {},
      { ...good, traceId: '' },
      { ...good, traceId: 'a b' },
      { ...good, kind: 'a/b' },
      { ...good, kind: 'k'.repeat(65) },
      { ...good, value: '1' },
      { ...good, currency: 'usd' },
      { ...good, currency: 'XYZ' },
      { ...good, success: 1 },
      { ...good, occurredAt: '2026-02-30T00:00:00Z' },
      { ...good, occurredAt: at(nowMs + dayMs + 1) },
      { ...good, occurredAt: at(nowMs - 14 * dayMs - 1) },
      { ...good, idempotencyKey: '' },
      { ...good, idempotencyKey: 'a\0' },
      { ...good, idempotencyKey: '\ud800' },
      { ...good, idempotencyKey: 'k'.repeat(257) },
      { ...good, metadata: [] },
      { ...good, metadata: { text: 'a'.repeat(16_384) } },
      { ...good, metadata: JSON.parse(`${'{"a":'.repeat(200)}1${'}'.repeat(200)}`) as unknown },
      { ...good, unknown: 1 },
    ];
    const edges = [
      { ...good, occurredAt: at(nowMs + dayMs) },
      { ...good, occurredAt: at(nowMs - 14 * dayMs) },
      { ...good, kind: 'k'.repeat(64), currency: 'XAU', value: 1e308, metadata: { a: [1] } },
      { ...good, value: null, currency: null, success: null, occurredAt: null, idempotencyKey: null, metadata: null },
    ];
    const { status, body } = await service.report(project, { outcomes: [...bad, ...edges] });
    expect([status, body.accepted]).toEqual([202, edges.length]);
    expect(body.rejected.map(({ index }: { index: number }) => index)).toEqual(bad.map((_, index) => index));
    for (const { code, error } of body.rejected) {
      expect(code).toBe('invalid_request');
      expect(error).toMatch(/^[A-Za-z].{10,150}[.]$/);
    }
    const sentences = body.rejected.map(({ error }: { error: string }) => error) as string[];
    expect(sentences).toEqual(
      expect.arrayContaining([
        'traceId is required.',
        'currency must be a code of ISO 4217 in capital letters, such as USD.',
        "occurredAt is older than the plan's retention; it would not be shown.",
        "occurredAt is more than 24 hours ahead; check the sender's clock.",
      ]),
    );
  });

  test('of which every outcome is bad is 400 with the reason of each', async () => {
    const project = service.project();
    const single = await service.report(project, { ...good, kind: '' });
    const error = 'kind must be 1 to 64 of the characters A-Z a-z 0-9 . _ -.';
    expect([single.status, single.body]).toEqual([
      400,
      {
        accepted: 0,
        rejected: [{ index: 0, code: 'invalid_request', error }],
        error: `No outcome could be used; outcome 0: ${error}`,
        code: 'invalid_request',
      },
    ]);
    const several = await service.report(project, { outcomes: [1, { ...good, currency: 'ABC' }] });
    expect(several).toMatchObject({ status: 400, body: { accepted: 0, rejected: [{ index: 0 }, { index: 1 }] } });
    expect(await totals(project)).toEqual([]);
  });

  test.each([
    ['an array', [good]],
    ['a number', '1'],
    ['no JSON', '{'],
    ['nothing', ''],
    ['no outcomes', { outcomes: [] }],
    ['outcomes that are no array', { outcomes: good }],
    ['a field beside outcomes', { outcomes: [good], kind: 'order' }],
  ])('of %s is 400', async (_what, body) => {
    expect(await service.report(service.project(), body)).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  });

  test('of more than 100 outcomes, or of more than 1 MiB, is 413', async () => {
    const project = service.project();
    const hundred = Array.from({ length: 100 }, () => good);
    expect(await service.report(project, { outcomes: hundred })).toMatchObject({ status: 202, body: { accepted: 100 } });
    const refused = { status: 413, body: { code: 'payload_too_large' } };
    expect(await service.report(project, { outcomes: [...hundred, good] })).toMatchObject(refused);
    const ofBytes = (bytes: number) => {
      const text = JSON.stringify(good);
      return `${text}${' '.repeat(bytes - text.length)}`;
    };
    expect(await service.report(project, ofBytes(1_048_577))).toMatchObject(refused);
    expect(await service.report(project, ofBytes(1_048_576))).toMatchObject({ status: 202 });
  });

  test('without an API key is 401, also with a session', async () => {
    const project = service.project();
    for (const by of ['nobody', 'owner'] as const)
      expect(await service.report(project, good, by)).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
  });

  test('is 503 while the log is full, and stores nothing', async () => {
    const project = service.project();
    service.failure = new ServiceError('unavailable', 'The service has more data waiting than it may hold.', {
      retryAfterSeconds: 5,
    });
    const refused = await service.report(project, { outcomes: [good, {}] });
    service.failure = null;
    expect(refused).toMatchObject({ status: 503, body: { code: 'unavailable' } });
    expect(refused.headers.get('retry-after')).toBe('5');
    expect(await totals(project)).toEqual([]);
  });

  test('takes a token of a bucket of its own for each key, also where it is refused', async () => {
    const project = service.project();
    for (let sent = 0; sent < 300; sent += 1) await service.report(project, sent % 2 === 0 ? {} : '{');
    const refused = await service.report(project, good);
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect(refused.headers.get('retry-after')).toBe('1');
    expect((await service.report(service.project(), good)).status).toBe(202);
  });
});

describe('an idempotency key', () => {
  test('replaces the earlier outcome of the project, whatever else has changed', async () => {
    const [project, other] = [service.project(), service.project()];
    const key = { idempotencyKey: 'invoice 7' };
    await service.report(project, { ...good, ...key, value: 1, occurredAt: at(nowMs - 40 * dayMs) });
    await service.pipeline.drain();
    await service.report(other, { ...good, ...key, value: 3 });
    await service.report(project, {
      outcomes: [
        { ...good, ...key, value: 5 },
        { ...good, value: 7 },
      ],
    });
    await service.report(project, { outcomes: [{ traceId: 't2', kind: 'order', ...key, value: 10 }] });
    expect(await totals(project)).toMatchObject([{ count: 2, value: 17 }]);
    expect(await totals(other)).toMatchObject([{ count: 1, value: 3 }]);
    await service.pipeline.deleteTrace(project, 't1');
    expect(await totals(project)).toMatchObject([{ count: 1, value: 10 }]);
    await service.pipeline.deleteTrace(project, 't2');
    expect(await totals(project)).toEqual([]);
  });
});

describe('values', () => {
  test('whose sum has no representation are the largest number, and cancel out', async () => {
    const project = service.project();
    const kinds = {
      large: [1e308, 1e308, 1e308],
      small: [-1e308, -1e308],
      cancelled: [0.1, 0.2, -0.3],
      back: [1.5e308, 1.5e308, -1.5e308],
    };
    for (const [kind, values] of Object.entries(kinds))
      await service.report(project, { outcomes: values.map((value) => ({ traceId: 't', kind, value })) });
    const sums = Object.fromEntries((await totals(project)).map(({ kind, value }) => [kind, value]));
    expect(sums).toMatchObject({ large: Number.MAX_VALUE, small: -Number.MAX_VALUE, cancelled: 0 });
    expect(Math.abs(Number(sums['back']) / 1.5e308 - 1)).toBeLessThan(1e-12);
  });
});

describe('reading', () => {
  test('needs a session with dashboard:read', async () => {
    const project = service.project();
    for (const path of ['kinds', 'summary']) {
      expect((await service.read(project, path)).status).toBe(200);
      for (const by of ['key', 'nobody'] as const) {
        expect(await service.read(project, path, by)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
      }
      expect(await service.read(project, `${path}?range=1y`)).toMatchObject({ status: 400 });
    }
    expect(await service.read(project, 'summary?kind=a%2Fb')).toMatchObject({ status: 400 });
  });

  test('includes what the trace costs besides calls, as its summary does', async () => {
    const project = service.project();
    const span = { type: 'span', traceId: 't9', kind: 'llm', name: 'n', startTime: at(nowMs), costUsd: 0.25 };
    await service.send(project, [
      { ...span, spanId: 'a', model: 'm' },
      { ...span, spanId: 'b' },
      { ...span, spanId: 'c', kind: 'tool' },
    ]);
    await service.report(project, {
      outcomes: [
        { ...good, traceId: 't9', success: true },
        { ...good, traceId: 't9', success: true },
      ],
    });
    expect(await totals(project)).toMatchObject([{ cost: 0.5, costPerOutcome: 0.25, costPerSuccess: 0.25, successRate: 1 }]);
  });
});
