import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { evaluateRootless } from '../../src/features/evaluation/online/rootless-traces.ts';
import { startEvaluationApp } from '../support/evaluation.ts';
import type { EvaluationApp } from '../support/evaluation.ts';

let app: EvaluationApp;

beforeAll(async () => {
  app = await startEvaluationApp(Date.UTC(2026, 10, 21, 13));
});
afterAll(() => app.close());

/** A trace evaluator that matches no trace of other tests. */
const only = (slug: string, more: object = {}) => ({
  slug,
  type: 'contains',
  config: { value: 'answer' },
  target: 'trace',
  filter: { tags: [slug] },
  ...more,
});

const minute = 60_000;
const idle = async (minutes: number) => {
  app.clock.advance(minutes * minute);
  const looked = await app.features.evaluation.evaluateRootless();
  await app.evaluation.runPending();
  await app.pipeline.drain();
  return looked;
};
const evaluated = (slug: string) => app.evaluations(`?evaluator=${slug}`);

describe('traces of which every span names a parent', () => {
  test('are evaluated as their earliest span once none has arrived for five minutes, and again after a change', async () => {
    await app.evaluator(only('remote', { filter: { kinds: ['agent'], tags: ['remote'] } }));
    const first = app.span({ traceId: 'remote', spanId: 'a', parentSpanId: 'gateway', kind: 'agent', tags: ['remote'] });
    await app.sendAndRun([first]);
    app.clock.advance(minute);
    await app.sendAndRun([app.span({ traceId: 'remote', spanId: 'b', parentSpanId: 'a', output: 'nothing' })]);
    expect(await idle(4)).toBe(0);
    expect(await idle(1)).toBe(1);
    expect(await evaluated('remote')).toMatchObject([
      { status: 'completed', score: 1, target: { type: 'trace', traceId: 'remote' } },
    ]);
    expect(await idle(60)).toBe(0);
    await app.sendAndRun([{ ...first, metadata: { attempt: 2 } }]);
    expect(await idle(5)).toBe(1);
    expect(await evaluated('remote')).toHaveLength(1);
    await app.sendAndRun([{ ...first, output: 'no' }]);
    await idle(5);
    expect((await evaluated('remote')).map(({ score }) => score)).toEqual([0, 1]);
    // It no longer matches the filter.
    await app.sendAndRun([{ ...first, kind: 'tool' }]);
    await idle(5);
    expect(await app.scores('remote')).toEqual([]);
  });

  test('are not evaluated before their earliest span has an end', async () => {
    await app.evaluator(only('under-way'));
    const span = app.span({ traceId: 'under-way', spanId: 'b', parentSpanId: 'a', tags: ['under-way'] });
    await app.sendAndRun([{ ...span, endTime: undefined }]);
    await idle(5);
    expect(await evaluated('under-way')).toEqual([]);
    await app.sendAndRun([span]);
    await idle(5);
    expect(await evaluated('under-way')).toMatchObject([{ score: 1 }]);
  });

  test('are evaluated with their root if it arrives, and not at the check', async () => {
    await app.evaluator(only('children'));
    await app.sendAndRun([app.span({ traceId: 'children', spanId: 'b', parentSpanId: 'a', output: 'no', tags: ['children'] })]);
    const root = app.span({ traceId: 'children', spanId: 'a', tags: ['children'] });
    await app.sendAndRun([root]);
    expect(await evaluated('children')).toMatchObject([{ score: 1 }]);
    expect(await idle(5)).toBe(1);
    expect(await evaluated('children')).toHaveLength(1);
  });

  test('are evaluated with their own record where they have no span', async () => {
    await app.evaluator(only('record'));
    await app.sendAndRun([{ type: 'trace', traceId: 'record', output: 'the answer', tags: ['record'] }]);
    await idle(5);
    expect(await evaluated('record')).toMatchObject([{ status: 'completed', score: 1 }]);
  });

  test('are not evaluated by an evaluator that was enabled after their last span', async () => {
    await Promise.all(['early', 'late'].map((slug) => app.evaluator(only(slug, { filter: { tags: ['timed'] } }))));
    await app.call('PATCH', '/evaluators/late', { enabled: false });
    await app.sendAndRun([app.span({ traceId: 'timed', spanId: 'b', parentSpanId: 'a', tags: ['timed'] })]);
    app.clock.advance(minute);
    await app.call('PATCH', '/evaluators/late', { enabled: true });
    await idle(5);
    expect(await evaluated('early')).toHaveLength(1);
    expect(await evaluated('late')).toEqual([]);
  });

  test('are looked at again when a span is recorded after they were read', async () => {
    await app.evaluator(only('raced'));
    await app.sendAndRun([app.span({ traceId: 'raced', spanId: 'b', parentSpanId: 'a', tags: ['raced'] })]);
    const { context } = app.features.evaluation;
    const receivedMs = app.clock.now() + minute;
    const clickhouse = Object.create(context.clickhouse, {
      forTenant: {
        value: (tenant: Parameters<typeof context.clickhouse.forTenant>[0]) => {
          const reader = context.clickhouse.forTenant(tenant);
          return Object.create(reader, {
            query: {
              value: async (...query: Parameters<typeof reader.query>) => {
                const rows = await reader.query(...query);
                await sql`UPDATE evaluation_rootless_traces SET last_span_at = ${new Date(receivedMs).toISOString()}::timestamptz
                WHERE trace_id = 'raced'`.execute(context.db);
                return rows;
              },
            },
          }) as typeof reader;
        },
      },
    }) as typeof context.clickhouse;
    app.clock.advance(6 * minute);
    expect(await evaluateRootless({ ...context, clickhouse })).toBe(1);
    expect(await idle(0)).toBe(1);
    expect(await idle(0)).toBe(0);
  });

  test('are not evaluated when they are deleted, unsampled, or their evaluator is disabled first', async () => {
    const never = (slug: string, more: object = {}) => app.evaluator(only(slug, { ...more }));
    await Promise.all([never('gone'), never('unsampled', { sampleRate: 0 }), never('disabled')]);
    const spans = ['gone', 'unsampled', 'disabled'].map((slug) =>
      app.span({ traceId: slug, spanId: 'b', parentSpanId: 'a', tags: [slug] }),
    );
    await app.sendAndRun(spans);
    expect((await app.call('DELETE', '/traces/gone')).status).toBe(204);
    await app.call('PATCH', '/evaluators/disabled', { enabled: false });
    await idle(5);
    for (const slug of ['gone', 'unsampled', 'disabled']) expect(await evaluated(slug)).toEqual([]);
  });
});

test('a trace whose root has no input and output is evaluated by those of its calls', async () => {
  await app.evaluator({ ...only('calls'), config: { value: 'found it' } });
  const at = { traceId: 'calls', tags: ['calls'] };
  await app.sendAndRun([
    app.span({ ...at, spanId: 'call', parentSpanId: 'root', kind: 'llm', model: 'gpt-4.1', input: 'where?', output: 'found it' }),
    app.span({ ...at, spanId: 'root', kind: 'agent', input: null, output: null }),
  ]);
  expect(await evaluated('calls')).toMatchObject([{ status: 'completed', score: 1 }]);
});
