import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ServiceError } from '../../src/contract/errors.ts';
import { EvaluationError } from '../../src/features/evaluation/index.ts';
import { evaluationOver, json, only, postTo, scored } from '../support/evaluation-with-measure.ts';
import type { Measure } from '../support/evaluation-with-measure.ts';
import { startEvaluationApp } from '../support/evaluation.ts';
import type { EvaluationApp } from '../support/evaluation.ts';

const startMs = Date.UTC(2026, 10, 21, 13);
let app: EvaluationApp;
const errors: unknown[] = [];

beforeAll(async () => {
  app = await startEvaluationApp(startMs);
});
afterAll(() => app.close());

const evaluationWith = (measure: Measure, limits?: { online: number; runItems: number }) =>
  evaluationOver(app, measure, { ...(limits ? { limits } : {}), onError: (error) => errors.push(error) });

test('a trace that is deleted during its evaluation keeps no score, also when it is sent again', async () => {
  await app.evaluator(only('slow'));
  const sent = app.span({ traceId: 'judged', spanId: 's', tags: ['slow'] });
  const { evaluation } = evaluationWith(async () => {
    expect((await app.call('DELETE', '/traces/judged')).status).toBe(204);
    return scored(1);
  });
  await app.send([sent]);
  await evaluation.runPending();
  await app.call('PATCH', '/evaluators/slow', { enabled: false });
  await app.send([sent]);
  expect(await app.scores('judged')).toEqual([]);
});

describe('a failing evaluation', () => {
  test('is retried with backoff, fails after the last attempt, and never gives a score', async () => {
    await app.evaluator(only('flaky'));
    let calls = 0;
    const { evaluation } = evaluationWith(() => {
      calls += 1;
      throw new EvaluationError('The model is overloaded.', {
        retryable: true,
        usage: { inputTokens: 10, outputTokens: 1, costUsd: 0.5 },
      });
    });
    await app.send([app.span({ traceId: 'flaky', spanId: 's', tags: ['flaky'] })]);
    const pauses = [5_000, 20_000, 80_000, 320_000];
    for (const [attempt, pause] of pauses.entries()) {
      await evaluation.runPending();
      expect(calls).toBe(attempt + 1);
      expect(await app.evaluations('?evaluator=flaky')).toMatchObject([
        { status: 'queued', attempts: attempt + 1, error: 'The model is overloaded.', finishedAt: null },
      ]);
      app.clock.advance(pause - 1);
      await evaluation.runPending();
      expect(calls).toBe(attempt + 1);
      app.clock.advance(1);
    }
    await evaluation.runPending();
    expect(await app.evaluations('?evaluator=flaky')).toMatchObject([
      {
        status: 'failed',
        attempts: 5,
        score: null,
        error: 'The model is overloaded.',
        usage: { inputTokens: 50, outputTokens: 5, costUsd: 2.5 },
        finishedAt: new Date(app.clock.now()).toISOString(),
      },
    ]);
    app.clock.advance(3_600_000);
    expect(await evaluation.runPending()).toBe(0);
    expect(await app.scores('flaky')).toEqual([]);
  });

  test('that succeeds later is scored, and its usage adds up', async () => {
    await app.evaluator(only('recovers'));
    let failures = 1;
    const { evaluation } = evaluationWith(() => {
      if (failures-- > 0) throw new EvaluationError('Too many.', { retryable: true, retryAfterMs: 60_000 });
      return { ...scored(0.75), usage: { inputTokens: 3, outputTokens: 4, costUsd: null } };
    });
    await app.send([app.span({ traceId: 'recovers', spanId: 's', tags: ['recovers'] })]);
    await evaluation.runPending();
    app.clock.advance(59_999);
    expect(await evaluation.runPending()).toBe(0);
    app.clock.advance(1);
    await evaluation.runPending();
    await app.pipeline.drain();
    expect(await app.evaluations('?evaluator=recovers')).toMatchObject([
      {
        status: 'completed',
        score: 0.75,
        passed: null,
        comment: 'because',
        error: null,
        attempts: 2,
        usage: { inputTokens: 3, outputTokens: 4, costUsd: null },
      },
    ]);
    expect(await app.scores('recovers')).toMatchObject([{ score: 0.75, comment: 'because', passed: null }]);
  });

  test('that cannot succeed fails at once, and runs again when its target is sent again', async () => {
    await app.evaluator(only('hopeless'));
    const { evaluation } = evaluationWith(() => {
      throw new EvaluationError('The connection is gone.', { retryable: false });
    });
    const span = app.span({ traceId: 'hopeless', spanId: 's', tags: ['hopeless'] });
    await app.send([span]);
    await evaluation.runPending();
    expect(await app.evaluations('?evaluator=hopeless')).toMatchObject([{ status: 'failed', attempts: 1 }]);
    await app.send([span]);
    await evaluation.runPending();
    expect(await app.evaluations('?evaluator=hopeless')).toHaveLength(2);
  });

  test('an unexpected error is reported to the operator only', async () => {
    await app.evaluator(only('broken'));
    const { evaluation } = evaluationWith(() => {
      throw new TypeError('secret detail of /etc/passwd');
    });
    await app.send([app.span({ traceId: 'broken', spanId: 's', tags: ['broken'] })]);
    await evaluation.runPending();
    const [found] = await app.evaluations('?evaluator=broken');
    expect(found.error).toBeTruthy();
    expect(found.error).not.toContain('secret');
    expect(errors.map(String)).toContain('TypeError: secret detail of /etc/passwd');
    await app.call('DELETE', '/evaluators/broken');
  });

  test('a value with too many levels fails alone', async () => {
    await app.evaluator(only('deep', { filter: { tags: ['deep'] } }));
    await app.evaluator(only('quick', { type: 'latency', config: { maxMs: 60_000 }, filter: { tags: ['deep'] } }));
    await app.send([app.span({ traceId: 'deep', spanId: 'flat', tags: ['deep'] })]);
    await sendDeepSpan('0d'.repeat(8), 'deep');
    errors.length = 0;
    const { evaluation } = evaluationWith(() => scored(1));
    await evaluation.runPending();
    const ends = (await app.evaluations('?limit=200')).filter(({ evaluator }) => ['deep', 'quick'].includes(evaluator));
    const told = ends.map(({ evaluator, target, status }) => `${evaluator} ${target.spanId} ${status}`);
    expect(told.toSorted()).toEqual([
      `deep ${'0d'.repeat(8)} failed`,
      'deep flat completed',
      `quick ${'0d'.repeat(8)} completed`,
      'quick flat completed',
    ]);
    expect(ends.find(({ status }) => status === 'failed')).toMatchObject({
      attempts: 1,
      error: 'The value is nested more than 500 levels deep; record a flatter one.',
    });
    expect(errors).toEqual([]);
  });

  test('an unavailable store does not count as an attempt', async () => {
    await app.evaluator(only('away'));
    let down = true;
    const { evaluation } = evaluationWith(() => {
      if (down) throw new ServiceError('unavailable', 'The database does not answer just now.');
      return scored(1);
    });
    await app.send([app.span({ traceId: 'away', spanId: 's', tags: ['away'] })]);
    for (let times = 0; times < 10; times++) {
      await evaluation.runPending();
      app.clock.advance(10_000);
    }
    expect(await app.evaluations('?evaluator=away')).toMatchObject([{ status: 'queued', attempts: 0, error: null }]);
    down = false;
    await evaluation.runPending();
    expect(await app.evaluations('?evaluator=away')).toMatchObject([{ status: 'completed', attempts: 1 }]);
  });
});

describe('the queue', () => {
  test('is bounded: evaluations beyond the limit are refused and counted, and ingestion continues', async () => {
    await app.evaluator(only('crowded'));
    const { queue } = evaluationWith(() => scored(1), { online: 3, runItems: 5 });
    const written = (ids: readonly string[]) => [
      {
        projectId: app.projectId,
        receivedMs: app.clock.now(),
        spans: ids.map((spanId) => ({
          traceId: 'crowded',
          spanId,
          parentSpanId: '',
          kind: 'llm' as const,
          startNs: 0n,
          endNs: 1n,
          model: 'm/1',
          agentName: '',
          environment: '',
          tags: ['crowded'],
          sessionId: '',
          source: 'native' as const,
          origin: 'application' as const,
        })),
      },
    ];
    await queue.onWritten(written(['a', 'b']));
    await queue.onWritten(written(['c', 'd', 'e']));
    const { body } = await app.call('GET', '/evaluations?evaluator=crowded');
    expect(body.evaluations).toHaveLength(3);
    expect(body.queue).toEqual({ waiting: 3, limit: expect.any(Number), refusedLastDay: 2 });
    // More than an empty queue has room for.
    await queue.onWritten(written(Array.from({ length: 10 }, (_, index) => `f${index}`)));
    expect((await app.call('GET', '/evaluations')).body.queue).toMatchObject({ waiting: 3, refusedLastDay: 12 });
    app.clock.advance(25 * 3_600_000);
    expect((await app.call('GET', '/evaluations')).body.queue.refusedLastDay).toBe(0);
    await app.call('DELETE', '/evaluators/crowded');
  });

  test('runs one evaluator on one target once at a time, and again when the target was sent meanwhile', async () => {
    await app.evaluator(only('overtaken'));
    const outputs: unknown[] = [];
    const started = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const measure: Measure = async (_slug, output) => {
      outputs.push(output);
      if (outputs.length === 1) {
        started.resolve();
        await goOn.promise;
      }
      return scored(outputs.length);
    };
    const { evaluation } = evaluationWith(measure);
    const span = app.span({ traceId: 'overtaken', spanId: 's', tags: ['overtaken'], output: 'first' });
    await app.send([span]);
    const running = evaluation.runPending();
    await started.promise;
    await app.send([{ ...span, output: 'second' }]);
    expect(await evaluationWith(measure).evaluation.runPending()).toBe(0);
    expect(await app.evaluations('?evaluator=overtaken')).toMatchObject([{ status: 'queued' }, { status: 'running' }]);
    goOn.resolve();
    await running;
    await app.pipeline.drain();
    expect(outputs).toEqual(['first', 'second']);
    expect(await app.scores('overtaken')).toMatchObject([{ score: 2 }]);
  });

  test('evaluations of a dead process are run by another when their leases expire', async () => {
    await app.evaluator(only('orphan'));
    await app.send([app.span({ traceId: 'orphan', spanId: 's', tags: ['orphan'] })]);
    await claimAs('orphan', app.clock.now() + 90_000);
    const { evaluation } = evaluationWith(() => scored(1));
    await evaluation.runPending();
    expect(await app.evaluations('?evaluator=orphan')).toMatchObject([{ status: 'running' }]);
    app.clock.advance(90_001);
    await evaluation.runPending();
    expect(await app.evaluations('?evaluator=orphan')).toMatchObject([{ status: 'completed', attempts: 2 }]);
  });

  test('an evaluation that kills its process each time fails after the last attempt', async () => {
    await app.evaluator(only('deadly'));
    await app.send([app.span({ traceId: 'deadly', spanId: 's', tags: ['deadly'] })]);
    await claimAs('deadly', app.clock.now() - 1, 5);
    const { evaluation } = evaluationWith(() => scored(1));
    await evaluation.runPending();
    expect(await app.evaluations('?evaluator=deadly')).toMatchObject([{ status: 'failed', error: expect.any(String) }]);
  });
});

/** By OTLP, whose attributes may hold JSON of any depth. */
async function sendDeepSpan(spanId: string, tag: string): Promise<void> {
  const startNs = BigInt(app.clock.now()) * 1_000_000n;
  const attributes = [
    { key: 'openinference.span.kind', value: { stringValue: 'LLM' } },
    { key: 'output.value', value: { stringValue: '['.repeat(50_000) + ']'.repeat(50_000) } },
    { key: 'output.mime_type', value: { stringValue: 'application/json' } },
    { key: 'tag.tags', value: { arrayValue: { values: [{ stringValue: tag }] } } },
  ];
  const span = {
    traceId: '0e'.repeat(16),
    spanId,
    name: 'deep',
    startTimeUnixNano: String(startNs),
    endTimeUnixNano: String(startNs + 1_000_000n),
    attributes,
  };
  const body = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] });
  await postTo(app, '/traces', { ...json, 'x-api-key': app.apiKey }, body);
  await app.pipeline.drain();
}

async function claimAs(slug: string, leaseMs: number, attempts = 1): Promise<void> {
  await sql`UPDATE evaluations SET status = 'running', attempts = ${attempts}, lease_until = ${new Date(leaseMs).toISOString()}::timestamptz
    WHERE evaluator = ${slug}`.execute(app.stores.postgres.db);
}
