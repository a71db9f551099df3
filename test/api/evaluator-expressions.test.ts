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
const make = (slug: string, target: string, expression: string, more: object = {}) =>
  app.evaluator({ slug, ...answers, target, filter: { expression, ...more } });

interface Evaluation {
  status: string;
  target: { traceId?: string; spanId?: string; sessionId?: string };
}

/** The ids of what an evaluator has scored, sorted. */
async function scoredBy(slug: string, id: keyof Evaluation['target']): Promise<string[]> {
  const evaluations: Evaluation[] = await app.evaluations(`?evaluator=${slug}&limit=200`);
  return evaluations
    .filter(({ status }) => status === 'completed')
    .map(({ target }) => target[id] ?? '')
    .toSorted();
}

describe('saving', () => {
  test('the text is kept as it was given', async () => {
    const expression = '  latency:>2s   NOT user:test ';
    const { id, filter } = await make('kept', 'span', expression, { kinds: ['llm'] });
    expect(filter).toEqual({ kinds: ['llm'], expression });
    expect((await app.call('GET', `/evaluators/${id}`)).body.filter).toEqual({ kinds: ['llm'], expression });
    await app.call('DELETE', `/evaluators/${id}`);
  });

  test.each([
    ['span', 'latncy:>2s', { start: 0, end: 6, suggestion: 'latency' }],
    ['span', 'kind:llm spans:>3', { start: 9, end: 14 }],
    ['trace', 'cost:>2s', { start: 5, end: 8 }],
    ['session', 'status:failed', { start: 7, end: 13 }],
  ])('400 for an expression that is none of target %s: %s', async (target, expression, at) => {
    const { status, body } = await app.call('POST', '/evaluators', { slug: 'wrong', ...answers, target, filter: { expression } });
    expect([status, body.code]).toEqual([400, 'invalid_filter']);
    expect(body.details).toMatchObject([{ path: '/filter/expression', ...at }]);
  });

  test('400 for a change to an expression or a target that do not fit', async () => {
    const { id } = await make('changed', 'trace', 'spans:>3', {});
    const change = (body: object) => app.call('PATCH', `/evaluators/${id}`, body);
    expect((await change({ filter: { expression: 'nothing:x' } })).body.code).toBe('invalid_filter');
    const moved = await change({ target: 'span' });
    expect([moved.status, moved.body.details[0].path]).toEqual([400, '/filter/expression']);
    expect((await change({ target: 'span', filter: { expression: 'trace.spans:>3' } })).status).toBe(200);
    expect((await change({ filter: { expression: 1 } })).body.code).toBe('invalid_request');
    await app.call('DELETE', `/evaluators/${id}`);
  });
});

describe('spans', () => {
  test('are scored where they meet the expression and the other fields', async () => {
    const of = (traceId: string, spanId: string, more: object = {}) => app.span({ traceId, spanId, tags: ['spans'], ...more });
    await make('of-spans', 'span', 'output:refund OR latency:>2s any(kind:tool status:error)', {
      tags: ['spans'],
      models: ['m/1'],
    });
    await make('of-spans-too', 'span', 'output:refund OR latency:>2s any(kind:tool status:error)', { tags: ['spans'] });
    const slow = { endTime: new Date(app.clock.now() + 3_000).toISOString() };
    const failed = { kind: 'tool', model: undefined, status: 'error' };
    await app.sendAndRun([
      of('a', 'refund', { output: 'the answer: a Refund' }),
      of('d', 'refund-without-the-tag', { output: 'a refund', tags: [] }),
      of('a', 'slow', slow),
      of('b', 'slow-beside-a-failed-tool', slow),
      of('b', 'quick'),
      of('b', 'tool', failed),
      of('c', 'refund-of-another-model', { output: 'refund', model: 'm/2' }),
    ]);
    expect(await scoredBy('of-spans', 'spanId')).toEqual(['refund', 'slow-beside-a-failed-tool']);
    expect(await scoredBy('of-spans-too', 'spanId')).toEqual(['refund', 'refund-of-another-model', 'slow-beside-a-failed-tool']);
  });

  test('have the session, user and environment of their trace, and the agent above them', async () => {
    await make('inherited', 'span', 'user:ada environment:prod agent:support kind:llm');
    const root = { kind: 'agent', agentName: 'support', model: undefined, environment: 'prod' };
    const of = (traceId: string, user: string) => [
      app.span({ traceId, spanId: `${traceId}-root`, ...root, userId: user }),
      app.span({ traceId, spanId: `${traceId}-call`, parentSpanId: `${traceId}-root` }),
    ];
    await app.sendAndRun([...of('of-ada', 'ada'), ...of('of-bo', 'bo')]);
    expect(await scoredBy('inherited', 'spanId')).toEqual(['of-ada-call']);
  });

  test('of kind guardrail are scored where the expression names the kind', async () => {
    await make('not-named', 'span', 'metadata.of:checks');
    await make('named', 'span', 'metadata.of:checks kind:(guardrail OR llm)');
    const of = (spanId: string, kind: string) => app.span({ traceId: 'checks', spanId, kind, metadata: { of: 'checks' } });
    await app.sendAndRun([of('check', 'guardrail'), of('call', 'llm'), of('tool', 'tool')]);
    expect(await scoredBy('not-named', 'spanId')).toEqual(['call', 'tool']);
    expect(await scoredBy('named', 'spanId')).toEqual(['call', 'check']);
  });

  test('that are sent again and no longer meet it lose their score', async () => {
    await make('withdrawn', 'span', 'metadata.of:withdrawn output:answer');
    const span = app.span({ traceId: 'withdrawn', spanId: 's', metadata: { of: 'withdrawn' } });
    await app.sendAndRun([span]);
    expect(await app.scores('withdrawn')).toHaveLength(1);
    app.clock.advance(60_000);
    await app.sendAndRun([{ ...span, output: 'nothing' }]);
    expect(await app.scores('withdrawn')).toEqual([]);
  });
});

test('traces are scored where they meet the expression as a whole', async () => {
  await make('of-traces', 'trace', 'spans:2 none(status:error) tag:whole');
  const of = (traceId: string, ...others: object[]) => [
    app.span({ traceId, spanId: `${traceId}-root`, tags: ['whole'] }),
    ...others.map((more, index) =>
      app.span({ traceId, spanId: `${traceId}-${index}`, parentSpanId: `${traceId}-root`, ...more }),
    ),
  ];
  await app.sendAndRun([...of('one-span'), ...of('two-spans', {}), ...of('failed', { status: 'error' }), ...of('three', {}, {})]);
  expect(await scoredBy('of-traces', 'traceId')).toEqual(['two-spans']);
  // A further span: it is met no longer.
  await app.sendAndRun([app.span({ traceId: 'two-spans', spanId: 'late', parentSpanId: 'two-spans-root' })]);
  expect(await app.scores('two-spans')).toEqual([]);
});

test('traces without a root are scored where they meet the expression', async () => {
  await make('of-rootless', 'trace', 'tag:rootless name:chat');
  const of = (traceId: string, tag: string) =>
    app.span({ traceId, spanId: `${traceId}-s`, parentSpanId: 'elsewhere', tags: [tag] });
  await app.sendAndRun([of('rootless-1', 'rootless'), of('rootless-2', 'other')]);
  app.clock.advance(6 * 60_000);
  await app.evaluation.evaluateRootless();
  await app.evaluation.runPending();
  expect(await scoredBy('of-rootless', 'traceId')).toEqual(['rootless-1']);
});

test('sessions are scored where one of their traces meets the expression', async () => {
  await make('of-sessions', 'session', 'user:ada any(status:error)');
  const of = (traceId: string, sessionId: string, more: object) => app.span({ traceId, spanId: 'root', sessionId, ...more });
  await app.sendAndRun([
    of('s1-a', 's1', { userId: 'ada' }),
    of('s1-b', 's1', { userId: 'ada', status: 'error' }),
    of('s2-a', 's2', { userId: 'ada' }),
    of('s2-b', 's2', { userId: 'bo', status: 'error' }),
  ]);
  app.clock.advance(31 * 60_000);
  await app.evaluation.completeSessions();
  await app.evaluation.runPending();
  expect(await scoredBy('of-sessions', 'sessionId')).toEqual(['s1']);
});

test('spans of evaluations are scored only where the expression asks for them, also those that do not say so', async () => {
  await make('of-applications', 'span', 'metadata.of:source');
  await make('of-evaluations', 'span', 'metadata.of:source source:evaluation');
  await make('of-both', 'span', 'metadata.of:source source:(evaluation OR native)');
  const of = (traceId: string, spanId: string, more: object = {}) =>
    app.span({ traceId, spanId, metadata: { of: 'source' }, ...more });
  await app.sendAndRun([of('own', 'plain'), of('made', 'item', { attributes: { 'spanwise.source': 'evaluation' } })]);
  // Of a trace that was written before.
  await app.sendAndRun([of('made', 'within', { parentSpanId: 'item' })]);
  expect(await scoredBy('of-applications', 'spanId')).toEqual(['plain']);
  expect(await scoredBy('of-evaluations', 'spanId')).toEqual(['item', 'within']);
  expect(await scoredBy('of-both', 'spanId')).toEqual(['item', 'plain', 'within']);
});

test('an expression that a later release does not read is met by nothing, and the others are evaluated', async () => {
  const { id } = await make('unreadable', 'span', 'name:chat');
  await make('readable', 'span', 'tag:later');
  const { db } = app.features.evaluation.context;
  await db
    .updateTable('evaluators')
    .set({ filter: JSON.stringify({ expression: 'gone:x' }) })
    .where('id', '=', id)
    .execute();
  app.features.evaluation.context.evaluators.forget(app.projectId);
  await app.sendAndRun([app.span({ traceId: 'later', spanId: 'later', tags: ['later'] })]);
  expect(await scoredBy('unreadable', 'spanId')).toEqual([]);
  expect(await scoredBy('readable', 'spanId')).toEqual(['later']);
});
