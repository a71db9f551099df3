import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startEvaluationApp } from '../support/evaluation.ts';
import type { EvaluationApp } from '../support/evaluation.ts';

const startMs = Date.UTC(2026, 10, 21, 13);
let app: EvaluationApp;

beforeAll(async () => {
  app = await startEvaluationApp(startMs);
});
afterAll(() => app.close());

const answers = { type: 'contains', config: { value: 'answer' } };
/** An evaluator that matches no spans of other tests. */
const only = (slug: string, more: object = {}) => ({ slug, ...answers, target: 'span', filter: { tags: [slug] }, ...more });

describe('spans', () => {
  test('a finished span is scored once; the evaluation is listed and the score is in the trace and in the figures of its model', async () => {
    const { id } = await app.evaluator(only('figures'));
    const span = app.span({ traceId: 'figures', spanId: 's', model: 'm/figures', tags: ['figures'] });
    await app.send([span]);
    expect(await app.evaluations('?evaluator=figures')).toMatchObject([{ status: 'queued' }]);
    await app.evaluation.runPending();
    await app.pipeline.drain();
    expect(await app.evaluations('?evaluator=figures')).toEqual([
      {
        id: expect.any(String),
        evaluator: 'figures',
        evaluatorId: id,
        target: { type: 'span', traceId: 'figures', spanId: 's' },
        status: 'completed',
        score: 1,
        passed: true,
        comment: null,
        error: null,
        attempts: 1,
        usage: null,
        createdAt: new Date(startMs).toISOString(),
        startedAt: new Date(startMs).toISOString(),
        finishedAt: new Date(startMs).toISOString(),
      },
    ]);
    expect(await app.scores('figures')).toMatchObject([
      { evaluator: 'figures', score: 1, passed: true, source: 'evaluator', spanId: 's', traceId: 'figures' },
    ]);
    const { body } = await app.call('GET', '/models/m%2Ffigures');
    expect(body.quality).toMatchObject({
      hasData: true,
      overall: { eval_count: 1, avg_score: 1, pass_count: 1, fail_count: 0 },
      byEvaluator: [{ evaluator_slug: 'figures', eval_count: 1, pass_count: 1 }],
    });
  });

  test('a call without contents is judged by those of the span around it', async () => {
    await app.evaluator(only('shared', { filter: { tags: ['shared-inner'] } }));
    const usage = { inputTokens: 5, outputTokens: 2 };
    const outer = app.span({ traceId: 'shared', spanId: 'outer', model: 'm', usage, output: 'the answer' });
    const inner = app.span({
      traceId: 'shared',
      spanId: 'inner',
      parentSpanId: 'outer',
      model: 'm',
      usage,
      tags: ['shared-inner'],
    });
    await app.sendAndRun([outer, { ...inner, input: undefined, output: undefined }]);
    const passed = (spanId: string) => expect.objectContaining({ target: expect.objectContaining({ spanId }), passed: true });
    expect(await app.evaluations('?evaluator=shared')).toEqual(expect.arrayContaining([passed('outer'), passed('inner')]));
  });

  test('a running span waits for its finished form', async () => {
    await app.evaluator(only('running'));
    const span = app.span({ traceId: 'running', spanId: 's', tags: ['running'] });
    await app.sendAndRun([{ ...span, endTime: undefined }]);
    expect(await app.evaluations('?evaluator=running')).toEqual([]);
    await app.sendAndRun([span]);
    expect(await app.evaluations('?evaluator=running')).toMatchObject([{ status: 'completed' }]);
  });

  test('an unchanged span that is sent again is not evaluated again; a changed one is, and its score replaces the first', async () => {
    await app.evaluator(only('again'));
    const span = app.span({ traceId: 'again', spanId: 's', tags: ['again'] });
    await app.sendAndRun([span]);
    await app.sendAndRun([span]);
    await app.sendAndRun([{ ...span, metadata: { attempt: 3 } }]);
    expect(await app.evaluations('?evaluator=again')).toHaveLength(1);
    app.clock.advance(60_000);
    await app.sendAndRun([{ ...span, output: 'something else' }]);
    expect((await app.evaluations('?evaluator=again')).map(({ score }) => score)).toEqual([0, 1]);
    expect(await app.scores('again')).toMatchObject([{ score: 0, passed: false }]);
    await app.sendAndRun([span]);
    expect(await app.scores('again')).toMatchObject([{ score: 1, passed: true }]);
  });

  test('a span that is sent many times before it is evaluated is queued once', async () => {
    await app.evaluator(only('eager'));
    const span = app.span({ traceId: 'eager', spanId: 's', tags: ['eager'] });
    for (let times = 0; times < 4; times++) await app.send([span, span]);
    expect(await app.evaluations('?evaluator=eager')).toHaveLength(1);
    await app.evaluation.runPending();
    expect(await app.evaluations('?evaluator=eager')).toMatchObject([{ status: 'completed' }]);
  });

  test('the pass threshold decides where the evaluator type does not, and for clients’ scores without `passed`', async () => {
    await app.evaluator(only('graded', { passThreshold: 0.5 }));
    const trace = app.span({ traceId: 'graded', spanId: 's' });
    const score = (scoreId: string, more: object) => ({
      type: 'score',
      scoreId,
      traceId: 'graded',
      evaluator: 'graded',
      ...more,
    });
    await app.send([
      trace,
      score('a', { score: 0.4 }),
      score('b', { score: 0.5 }),
      score('c', { score: 0.9, passed: false }),
      score('d', { score: 0.1, evaluator: 'nobody' }),
    ]);
    const passed = async () => Object.fromEntries((await app.scores('graded')).map((found) => [found.scoreId, found.passed]));
    expect(await passed()).toEqual({ a: false, b: true, c: false, d: null });
    await app.call('PATCH', '/evaluators/graded', { passThreshold: 0.3 });
    const { body } = await app.call('POST', '/scores', { traceId: 'graded', evaluator: 'graded', score: 0.4, scoreId: 'e' });
    expect(body.passed).toBe(true);
    await app.pipeline.drain();
    expect(await passed()).toMatchObject({ a: false, e: true });
  });

  test('a pass threshold takes precedence over the evaluator type', async () => {
    await app.evaluator(only('lenient', { passThreshold: 0 }));
    await app.sendAndRun([app.span({ traceId: 'lenient', spanId: 's', output: 'nothing', tags: ['lenient'] })]);
    expect(await app.scores('lenient')).toMatchObject([{ evaluator: 'lenient', score: 0, passed: true }]);
  });

  test('spans of kind evaluator or guardrail match only a filter that names their kind', async () => {
    await app.evaluator(only('kinds'));
    await app.evaluator(only('guards', { filter: { tags: ['kinds'], kinds: ['guardrail'] } }));
    const of = (kind: string) => app.span({ traceId: 'kinds', spanId: kind, kind, tags: ['kinds'] });
    await app.sendAndRun(['evaluator', 'guardrail', 'tool', 'llm'].map(of));
    const spans = async (slug: string) => (await app.evaluations(`?evaluator=${slug}`)).map(({ target }) => target.spanId);
    expect((await spans('kinds')).toSorted()).toEqual(['llm', 'tool']);
    expect(await spans('guards')).toEqual(['guardrail']);
  });

  test('every field of a filter must match; missing values of a span come from its trace', async () => {
    const filter = { kinds: ['llm'], models: ['m/a', 'm/b'], agents: ['planner'], environments: ['production'], tags: ['vip'] };
    await app.evaluator(only('strict', { filter }));
    const fits = { model: 'm/b', agentName: 'planner', environment: 'production', tags: ['vip', 'other'] };
    await app.sendAndRun([
      app.span({ traceId: 'strict', spanId: 'fits', ...fits }),
      app.span({ traceId: 'strict-2', spanId: 'kind', ...fits, kind: 'tool' }),
      app.span({ traceId: 'strict-3', spanId: 'model', ...fits, model: 'm/c' }),
      app.span({ traceId: 'strict-4', spanId: 'agent', ...fits, agentName: 'writer' }),
      app.span({ traceId: 'strict-5', spanId: 'environment', ...fits, environment: 'staging' }),
      app.span({ traceId: 'strict-6', spanId: 'tags', ...fits, tags: [] }),
      { type: 'trace', traceId: 'strict-7', environment: 'production', tags: ['vip'] },
      app.span({ traceId: 'strict-7', spanId: 'inherits', model: 'm/a', agentName: 'planner' }),
    ]);
    const spans = (await app.evaluations('?evaluator=strict')).map(({ target }) => target.spanId);
    expect(spans.toSorted()).toEqual(['fits', 'inherits']);
  });

  test('a disabled evaluator does not run, and its queued evaluations are dropped', async () => {
    await app.evaluator(only('paused'));
    await app.send([app.span({ traceId: 'paused', spanId: 's', tags: ['paused'] })]);
    await app.call('PATCH', '/evaluators/paused', { enabled: false });
    await app.sendAndRun([app.span({ traceId: 'paused', spanId: 't', tags: ['paused'] })]);
    expect(await app.evaluations('?evaluator=paused')).toEqual([]);
    expect(await app.scores('paused')).toEqual([]);
  });

  test('exact and fuzzy do not run online', async () => {
    await app.evaluator(only('exactly', { type: 'exact', config: {} }));
    await app.evaluator(only('nearly', { type: 'fuzzy', config: {}, filter: { tags: ['exactly'] } }));
    await app.sendAndRun([app.span({ traceId: 'exactly', spanId: 's', tags: ['exactly'] })]);
    expect(await app.evaluations('?evaluator=exactly')).toEqual([]);
    expect(await app.evaluations('?evaluator=nearly')).toEqual([]);
  });

  test('an evaluation without data to measure is skipped with a reason', async () => {
    await app.evaluator(only('priced', { type: 'cost', config: { maxUsd: 1 } }));
    await app.sendAndRun([app.span({ traceId: 'priced', spanId: 's', tags: ['priced'], model: 'unheard/of' })]);
    expect(await app.evaluations('?evaluator=priced')).toMatchObject([
      { status: 'skipped', score: null, comment: expect.any(String), error: null },
    ]);
    expect(await app.scores('priced')).toEqual([]);
  });
});

describe('a score whose target has changed', () => {
  test('is withdrawn from reads and figures when the span no longer matches the filter, and given again when it matches again', async () => {
    await app.evaluator(only('fits'));
    const span = app.span({ traceId: 'fits', spanId: 's', model: 'm/fits', tags: ['fits'] });
    const quality = async () => (await app.call('GET', '/models/m%2Ffits')).body.quality.overall?.eval_count ?? 0;
    await app.sendAndRun([span]);
    expect(await app.scores('fits')).toHaveLength(1);
    expect(await quality()).toBe(1);
    app.clock.advance(1_000);
    const changed = { ...span, tags: [] };
    await app.sendAndRun([changed]);
    expect(await app.scores('fits')).toEqual([]);
    expect(await quality()).toBe(0);
    expect(await app.evaluations('?evaluator=fits')).toMatchObject([
      { status: 'skipped', score: null, comment: expect.stringContaining('withdrawn') },
      { status: 'completed', score: 1 },
    ]);
    // Once: what has no score has none to withdraw.
    await app.sendAndRun([changed]);
    expect(await app.evaluations('?evaluator=fits')).toHaveLength(2);
    app.clock.advance(1_000);
    await app.sendAndRun([span]);
    expect(await app.scores('fits')).toMatchObject([{ score: 1, passed: true }]);
    expect(await quality()).toBe(1);
  });

  test('follows the last version when several are sent before it runs', async () => {
    await app.evaluator(only('hasty'));
    const span = app.span({ traceId: 'hasty', spanId: 's', tags: ['hasty'] });
    await app.sendAndRun([span]);
    app.clock.advance(1_000);
    await app.send([{ ...span, tags: [] }]);
    await app.sendAndRun([{ ...span, output: 'nothing' }]);
    expect(await app.scores('hasty')).toMatchObject([{ score: 0 }]);
    app.clock.advance(1_000);
    await app.send([{ ...span, output: 'an answer again' }]);
    await app.sendAndRun([{ ...span, tags: [] }]);
    expect(await app.scores('hasty')).toEqual([]);
  });

  test('is withdrawn when no data to measure is left', async () => {
    await app.evaluator(only('costly', { type: 'cost', config: { maxUsd: 1 } }));
    const span = app.span({ traceId: 'costly', spanId: 's', tags: ['costly'], costUsd: 0.5 });
    await app.sendAndRun([span]);
    expect(await app.scores('costly')).toMatchObject([{ passed: true }]);
    app.clock.advance(1_000);
    await app.sendAndRun([{ ...span, costUsd: undefined, model: 'unheard/of' }]);
    expect((await app.evaluations('?evaluator=costly')).map(({ status }) => status)).toEqual(['skipped', 'completed']);
    expect(await app.scores('costly')).toEqual([]);
  });

  test('is withdrawn from a trace that no longer matches; scores of clients stay', async () => {
    await app.evaluator(only('outgrown', { target: 'trace', filter: { environments: ['outgrown'] } }));
    const root = app.span({ traceId: 'outgrown', spanId: 'root', environment: 'outgrown' });
    await app.sendAndRun([root, { type: 'score', traceId: 'outgrown', evaluator: 'human', score: 1 }]);
    expect((await app.scores('outgrown')).map(({ evaluator }) => evaluator).toSorted()).toEqual(['human', 'outgrown']);
    app.clock.advance(1_000);
    await app.sendAndRun([{ ...root, environment: 'elsewhere' }]);
    expect((await app.scores('outgrown')).map(({ evaluator }) => evaluator)).toEqual(['human']);
    expect((await app.call('GET', '/traces?evaluator=outgrown')).body.traces).toEqual([]);
  });
});

describe('sampling', () => {
  test('selects a share of the traces, the same for all spans of a trace and when they are sent again', async () => {
    await app.evaluator(only('sampled', { sampleRate: 0.5 }));
    const spans = Array.from({ length: 100 }, (_, index) =>
      app.span({ traceId: `sampled-${Math.floor(index / 2)}`, spanId: `s${index % 2}`, tags: ['sampled'] }),
    );
    await app.sendAndRun(spans);
    const seen = (await app.evaluations('?evaluator=sampled&limit=200')).map(({ target }) => target.traceId as string);
    const traces = new Set(seen);
    expect(traces.size).toBeGreaterThan(10);
    expect(traces.size).toBeLessThan(40);
    expect(seen).toHaveLength(2 * traces.size);
    await app.sendAndRun(spans.map((span) => ({ ...span, output: 'a second answer' })));
    const later = (await app.evaluations('?evaluator=sampled&limit=200')).map(({ target }) => target.traceId as string);
    expect(later).toHaveLength(2 * seen.length);
    expect(new Set(later)).toEqual(traces);
  });
});

describe('traces', () => {
  test('are evaluated when their root has finished, with the input and output of their own record or of the root', async () => {
    await app.evaluator(only('whole', { target: 'trace' }));
    const root = app.span({ traceId: 'whole', spanId: 'root', kind: 'agent', tags: ['whole'], output: 'the answer' });
    await app.sendAndRun([
      { ...root, endTime: undefined },
      app.span({ traceId: 'whole', spanId: 'child', parentSpanId: 'root', output: 'nothing' }),
    ]);
    expect(await app.evaluations('?evaluator=whole')).toEqual([]);
    await app.sendAndRun([root]);
    expect(await app.evaluations('?evaluator=whole')).toMatchObject([
      { status: 'completed', score: 1, target: { type: 'trace', traceId: 'whole' } },
    ]);
    // A span that comes later changes neither input nor output, and the trace's own record does.
    await app.sendAndRun([app.span({ traceId: 'whole', spanId: 'late', parentSpanId: 'root' })]);
    expect(await app.evaluations('?evaluator=whole')).toHaveLength(1);
    await app.sendAndRun([{ type: 'trace', traceId: 'whole', output: 'no' }]);
    expect(await app.evaluations('?evaluator=whole')).toMatchObject([{ score: 0 }, { score: 1 }]);
    expect(await app.scores('whole')).toMatchObject([{ score: 0, spanId: null }]);
  });

  test('the cost of a trace includes calls that arrive after its root', async () => {
    await app.evaluator(only('budget', { target: 'trace', type: 'cost', config: { maxUsd: 1 } }));
    await app.sendAndRun([app.span({ traceId: 'budget', spanId: 'root', kind: 'agent', tags: ['budget'] })]);
    await app.sendAndRun([app.span({ traceId: 'budget', spanId: 'call', parentSpanId: 'root', costUsd: 1.5 })]);
    expect((await app.evaluations('?evaluator=budget')).map(({ passed }) => passed)).toEqual([false, true]);
    expect(await app.scores('budget')).toMatchObject([{ passed: false }]);
  });

  test('deleting a trace deletes its evaluations', async () => {
    await app.evaluator(only('erased', { target: 'trace' }));
    await app.sendAndRun([app.span({ traceId: 'erased', spanId: 'root', tags: ['erased'] })]);
    expect(await app.evaluations('?evaluator=erased')).toHaveLength(1);
    expect((await app.call('DELETE', '/traces/erased')).status).toBe(204);
    expect(await app.evaluations('?evaluator=erased')).toEqual([]);
  });
});

describe('the list of evaluations', () => {
  test('is newest first, filtered and paged', async () => {
    const all = await app.evaluations('?limit=200');
    const times = all.map(({ createdAt }) => createdAt);
    expect(times).toEqual(times.toSorted().toReversed());
    const completed = await app.evaluations('?status=completed&targetType=trace&limit=200');
    expect(completed.length).toBeGreaterThan(2);
    expect(completed.every(({ status, target }) => status === 'completed' && target.type === 'trace')).toBe(true);
    const ids: string[] = [];
    let cursor = '';
    do {
      const { body } = await app.call('GET', `/evaluations?limit=7${cursor}`);
      ids.push(...body.evaluations.map(({ id }: { id: string }) => id));
      cursor = body.nextCursor === null ? '' : `&cursor=${body.nextCursor}`;
    } while (cursor !== '');
    expect(ids.slice(0, 200)).toEqual(all.map(({ id }) => id));
  });

  test.each(['status=done', 'targetType=project', 'limit=201', 'cursor=x'])('400 for %s', async (query) => {
    expect((await app.call('GET', `/evaluations?${query}`)).status).toBe(400);
  });

  test('401 without credentials', async () => {
    expect((await app.call('GET', '/evaluations', undefined, {})).status).toBe(401);
  });
});
