import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../packages/sdk/src/clock.ts';
import { Spanwise } from '../../packages/sdk/src/index.ts';
import { ManualClock } from '../../packages/sdk/src/manual-clock.fixture.ts';
import { version } from '../../packages/sdk/src/version.ts';
import { startTestApp } from '../support/app.ts';
import type { TestApp } from '../support/app.ts';
import { startFaultyProxy } from '../support/faulty-proxy.ts';
import type { FaultyProxy, ProxyFault } from '../support/faulty-proxy.ts';

const nowMs = Date.UTC(2026, 10, 20, 10);
let app: TestApp;
let proxy: FaultyProxy;

beforeAll(async () => {
  app = await startTestApp(nowMs);
  proxy = await startFaultyProxy(app.url);
});
afterAll(async () => {
  await proxy.close();
  await app.close();
});

const options = () => ({ apiKey: app.apiKey, baseUrl: proxy.url, environment: 'production', service: 'shop' });

/** A client whose time goes on when nothing else is under way. */
function openClient() {
  const clock = new ManualClock(nowMs);
  let open = 0;
  const watched: typeof fetch = async (...args) => {
    open += 1;
    try {
      return await fetch(...args);
    } finally {
      open -= 1;
    }
  };
  const spanwise = new Spanwise({ ...options(), fetch: watched }, { clock, random: () => 0.5 });
  const deliver = async () => {
    while (spanwise.delivery().queued > 0) {
      // A request that the proxy holds is given up when its time is over.
      const isWaiting = open === 0 || proxy.seen.has('late');
      for (let round = 0; round < 20; round += 1) await setImmediate();
      const ms = clock.untilNext();
      if (isWaiting && ms < Infinity) await clock.advance(open === 0 ? ms : Math.min(ms, 100));
    }
  };
  return { spanwise, deliver };
}

interface TraceAnswer {
  trace: Record<string, unknown>;
  spans: Array<Record<string, unknown> & { spanId: string }>;
  scores: unknown[];
  outcomes: unknown[];
}

async function traceOf(traceId: string): Promise<TraceAnswer> {
  await app.pipeline.drain();
  return (await app.get(`/v1/projects/${app.projectId}/traces/${traceId}`)).body as TraceAnswer;
}

test('a trace with its spans, score and outcome is read back; a change too', async () => {
  let ms = nowMs;
  const spanwise = new Spanwise(options(), { clock: { now: () => ms, after: systemClock.after } });
  const traceId = await spanwise.trace(
    { name: 'turn', sessionId: 's1', userId: 'u1', agentName: 'support', tags: ['a'], metadata: { tier: 3 } },
    async (trace) => {
      await spanwise.span({ name: 'chat', kind: 'llm', model: 'gpt-4o', provider: 'openai', input: 'q' }, async (span) => {
        ms += 250;
        span.update({ output: 'a', usage: { inputTokens: 1000, outputTokens: 100 }, timeToFirstTokenMs: 40 });
      });
      spanwise.score({ evaluator: 'helpful', score: 0.5 });
      spanwise.outcome({ kind: 'order', value: 12.5, currency: 'EUR', success: true });
      return trace.traceId;
    },
  );
  const change = await spanwise.change({ kind: 'deploy', version: '1.2.0' });
  await spanwise.shutdown();
  expect(change).toMatchObject({ kind: 'deploy', version: '1.2.0', environment: 'production', service: 'shop' });
  expect(spanwise.delivery()).toMatchObject({ sent: 6, accepted: 6, rejected: [], lastError: null });
  const read = await traceOf(traceId);
  expect(read.trace).toMatchObject({
    name: 'turn',
    sessionId: 's1',
    userId: 'u1',
    environment: 'production',
    tags: ['a'],
    agents: ['support'],
    models: ['gpt-4o'],
    status: 'ok',
    durationMs: 250,
  });
  expect(read.spans).toMatchObject([
    { name: 'turn', kind: 'agent', metadata: { tier: 3 } },
    { name: 'chat', agentName: 'support', costStatus: 'priced', durationMs: 250, timeToFirstTokenMs: 40 },
  ]);
  expect(read.scores).toMatchObject([{ evaluator: 'helpful', score: 0.5 }]);
  expect(read.outcomes).toMatchObject([{ kind: 'order', value: 12.5, currency: 'EUR', success: true }]);
  const { body: health } = await app.get(`/v1/projects/${app.projectId}/ingest-health`);
  expect(health).toMatchObject({ clients: [{ client: 'sdk-js', version, kind: 'sdk', accepted: 4, rejected: 0 }] });
});

test('through a network that loses, delays and repeats, every event is stored once', async () => {
  const faults: ProxyFault[] = ['none', 'cut-before', 'cut-after', 'twice', 'late', 429, 500, 503];
  const random = fc.array(fc.constantFrom(...faults), { minLength: 4, maxLength: 8 });
  const rounds = [faults, ...fc.sample(random, 3)];
  for (const round of rounds) {
    proxy.faults.push(...round);
    const { spanwise, deliver } = openClient();
    const trace = spanwise.trace({ name: 'round' });
    for (let index = 0; index < 250; index += 1) {
      spanwise.span({ name: `span ${index}`, parent: trace, input: 'x'.repeat(index) }).end();
    }
    for (let index = 0; index < 20; index += 1) {
      spanwise.score({ traceId: trace.traceId, evaluator: 'helpful', score: index });
      spanwise.outcome({ traceId: trace.traceId, kind: 'order', value: index });
    }
    trace.end();
    await deliver();
    await proxy.settled();
    proxy.faults.length = 0;
    expect(spanwise.delivery()).toMatchObject({ sent: 292, accepted: 292, rejected: [], queued: 0 });
    const { spans, scores, outcomes } = await traceOf(trace.traceId);
    expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(251);
    expect([spans.length, scores.length, outcomes.length]).toEqual([251, 20, 20]);
  }
  expect(proxy.seen).toEqual(new Set(faults));
});
