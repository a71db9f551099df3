import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startEvaluationApp } from '../support/evaluation.ts';
import type { EvaluationApp } from '../support/evaluation.ts';
import { minuteMs } from '../../src/contract/durations.ts';

const startMs = Date.UTC(2026, 10, 21, 13);
let app: EvaluationApp;

beforeAll(async () => {
  app = await startEvaluationApp(startMs);
});
afterAll(() => app.close());

/** What the job does every ten minutes, and what comes of it. */
async function check(): Promise<number> {
  const completed = await app.evaluation.completeSessions();
  await app.evaluation.runPending();
  await app.pipeline.drain();
  return completed;
}

/** An evaluator that matches no sessions of other tests. */
const only = (slug: string, more: object = {}) => ({
  slug,
  type: 'contains',
  config: { value: 'answer' },
  target: 'session',
  filter: { environments: [slug] },
  ...more,
});

let traces = 0;
const turn = (session: string, more: object = {}) =>
  app.span({ traceId: `turn-${++traces}`, spanId: 's', sessionId: session, environment: session, ...more });

const runs = async (slug: string) =>
  (await app.evaluations(`?evaluator=${slug}`)).map(({ status, score }) => ({ status, score }));

describe('a session', () => {
  test('completes after 30 minutes without a span, to the millisecond, and once', async () => {
    await app.evaluator(only('edge'));
    await app.send([turn('edge')]);
    app.clock.advance(30 * minuteMs - 1);
    expect(await check()).toBe(0);
    app.clock.advance(1);
    expect(await check()).toBe(1);
    expect(await app.evaluations('?evaluator=edge')).toMatchObject([
      { status: 'completed', score: 1, target: { type: 'session', sessionId: 'edge' } },
    ]);
    expect(await check()).toBe(0);
    app.clock.advance(24 * 60 * minuteMs);
    expect(await check()).toBe(0);
    const { body } = await app.call('GET', '/sessions/edge');
    expect(body.scores).toMatchObject([{ evaluator: 'edge', score: 1, passed: true, sessionId: 'edge', traceId: null }]);
  });

  test('completes again after new activity and as long an idle time, and its score replaces the first', async () => {
    await app.evaluator(only('woken', { config: { value: 'thanks' } }));
    await app.send([turn('woken')]);
    app.clock.advance(30 * minuteMs);
    expect(await check()).toBe(1);
    await app.send([turn('woken', { output: 'thanks' })]);
    app.clock.advance(30 * minuteMs - 1);
    expect(await check()).toBe(0);
    app.clock.advance(1);
    expect(await check()).toBe(1);
    expect(await runs('woken')).toEqual([
      { status: 'completed', score: 1 },
      { status: 'completed', score: 0 },
    ]);
    expect((await app.call('GET', '/sessions/woken')).body.scores).toMatchObject([{ score: 1 }]);
  });

  test('stays active with every span of its traces, also one without a session id, whatever the times in it', async () => {
    await app.evaluator(only('awake'));
    const first = turn('awake') as { traceId: string };
    await app.send([first]);
    for (let times = 0; times < 3; times++) {
      app.clock.advance(20 * minuteMs);
      const late = app.span({ traceId: first.traceId, spanId: `late-${times}`, parentSpanId: 's' });
      await app.send([{ ...late, startTime: new Date(startMs).toISOString(), endTime: new Date(startMs).toISOString() }]);
      expect(await check()).toBe(0);
    }
    app.clock.advance(30 * minuteMs);
    expect(await check()).toBe(1);
  });

  test('has the idle time of each evaluator', async () => {
    await app.evaluator(only('hasty', { idleMinutes: 5, filter: { environments: ['paces'] } }));
    await app.evaluator(only('patient', { idleMinutes: 120, filter: { environments: ['paces'] } }));
    await app.send([turn('paces')]);
    app.clock.advance(5 * minuteMs);
    expect(await check()).toBe(1);
    app.clock.advance(115 * minuteMs - 1);
    expect(await check()).toBe(0);
    app.clock.advance(1);
    expect(await check()).toBe(1);
    expect(await runs('hasty')).toHaveLength(1);
    expect(await runs('patient')).toHaveLength(1);
  });

  test('from before the evaluator was created or enabled is not evaluated until it is active again', async () => {
    await app.send([turn('earlier')]);
    app.clock.advance(minuteMs);
    await app.evaluator(only('earlier'));
    app.clock.advance(60 * minuteMs);
    expect(await check()).toBe(0);
    await app.send([turn('earlier')]);
    await app.call('PATCH', '/evaluators/earlier', { enabled: false });
    app.clock.advance(60 * minuteMs);
    expect(await check()).toBe(0);
    await app.call('PATCH', '/evaluators/earlier', { enabled: true });
    expect(await check()).toBe(0);
    await app.send([turn('earlier')]);
    app.clock.advance(30 * minuteMs);
    expect(await check()).toBe(1);
  });

  test('is filtered and sampled as a whole', async () => {
    const filter = { environments: ['filtered'], kinds: ['agent'], models: ['m/1'], tags: ['vip'] };
    await app.evaluator(only('filtered', { filter }));
    await app.evaluator(only('never', { filter, sampleRate: 0 }));
    const common = { environment: 'filtered' };
    await app.send([
      turn('fits', { ...common, kind: 'agent' }),
      turn('fits', { ...common, tags: ['vip'] }),
      turn('wrong kind', { ...common, tags: ['vip'] }),
      turn('wrong tag', { ...common, kind: 'agent' }),
      turn('wrong tag', common),
    ]);
    app.clock.advance(30 * minuteMs);
    expect(await check()).toBe(1);
    expect(await app.evaluations('?evaluator=filtered')).toMatchObject([{ target: { sessionId: 'fits' } }]);
    expect(await runs('never')).toEqual([]);
  });

  test('may have any id, and completes once in several replicas', async () => {
    const session = 'a\u0000b "é" \u{1f600}';
    await app.evaluator(only('any', { filter: { environments: ['any'] } }));
    await app.send([turn(session, { environment: 'any' })]);
    app.clock.advance(30 * minuteMs);
    const completed = await Promise.all([1, 2, 3].map(() => app.evaluation.completeSessions()));
    expect(completed.reduce((sum, count) => sum + count, 0)).toBe(1);
    await app.evaluation.runPending();
    expect(await app.evaluations('?evaluator=any')).toMatchObject([{ status: 'completed', target: { sessionId: session } }]);
  });

  test('is evaluated by its turns in order', async () => {
    const schema = {
      type: 'array',
      minItems: 2,
      maxItems: 2,
      prefixItems: [{ const: { input: 'one?', output: '1' } }, { const: { input: 'two?', output: { number: 2 } } }],
    };
    await app.evaluator(only('turns', { type: 'json_schema', config: { schema } }));
    await app.evaluator(only('spent', { type: 'cost', config: { maxUsd: 0.3 }, filter: { environments: ['turns'] } }));
    await app.send([turn('turns', { input: 'one?', output: '1', costUsd: 0.125 })]);
    app.clock.advance(1000);
    await app.send([turn('turns', { input: 'two?', output: { number: 2 }, costUsd: 0.25 })]);
    app.clock.advance(30 * minuteMs);
    expect(await check()).toBe(2);
    expect(await app.evaluations('?evaluator=turns')).toMatchObject([{ passed: true }]);
    expect(await app.evaluations('?evaluator=spent')).toMatchObject([{ passed: false }]);
  });
});
