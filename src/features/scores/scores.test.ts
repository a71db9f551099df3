import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addMember } from '../../../test/support/add-member.ts';
import { startTestApp } from '../../../test/support/app.ts';
import type { TestApp } from '../../../test/support/app.ts';

const nowMs = Date.UTC(2026, 10, 20, 10);
const dayMs = 86_400_000;
let app: TestApp;
let member: string;
beforeAll(async () => {
  app = await startTestApp(nowMs);
  const person = { email: 'member@example.com', name: 'Member', role: 'member', password: 'a password of theirs' };
  ({ cookie: member } = await addMember(app.url, { cookie: app.cookie }, app.organizationId, person));
});
afterAll(() => app.close());

interface Listed {
  evaluator: string;
}
interface Caller {
  cookie?: string;
  'x-api-key'?: string;
}
async function call(method: string, path: string, body?: unknown, by: Caller = { 'x-api-key': app.apiKey }) {
  const answer = await fetch(`${app.url}/v1/projects/${app.projectId}${path}`, {
    method,
    headers: { ...by, ...(body === undefined ? {} : { 'content-type': 'application/json' }) } as Record<string, string>,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, body: text === '' ? null : JSON.parse(text) };
}
async function send(events: object[]) {
  await app.send(events);
  await app.pipeline.drain();
}
const at = (ms: number) => new Date(ms).toISOString();
let names = 0;
const fresh = (what: string) => `${what} ${++names}`;
const recorded = async () =>
  (
    await sql<{ kind: string; subject: string; detail: string }>`SELECT kind, subject, detail FROM audit_entries
      WHERE kind LIKE 'score.%' ORDER BY seq`.execute(app.features.identity.context.db)
  ).rows.map(({ kind, subject, detail }) => ({ kind, subject, ...(JSON.parse(detail) as { changed?: string[] }) }));

describe('a name and a label', () => {
  test.each(['ragas/faithfulness', 'My Metric', 'qualité?', '評価', 'x'.repeat(128), '😀'.repeat(128)])(
    '%s is taken',
    async (evaluator) => {
      const { status, body } = await call('POST', '/scores', { traceId: 'named', evaluator, score: 1 });
      expect([status, body.evaluator]).toEqual([201, evaluator]);
    },
  );
  test.each(['', ' ', 'x'.repeat(129), 'a\nb', 'a\u0000', 7])('%j is refused', async (evaluator) => {
    expect((await call('POST', '/scores', { traceId: 'named', evaluator, score: 1 })).status).toBe(400);
  });

  test('alone is kept, and counts in no mean; without a label a number is required', async () => {
    const [traceId, model, evaluator] = [fresh('t').replace(' ', '-'), fresh('model'), fresh('tone')];
    await send([
      { type: 'span', traceId, spanId: 's', name: 'chat', kind: 'llm', model, startTime: at(nowMs) },
      { type: 'score', traceId, spanId: 's', evaluator, label: 'friendly' },
      { type: 'score', traceId, spanId: 's', evaluator: `${evaluator} 2`, score: 0.5, label: 'x' },
    ]);
    const trace = await call('GET', `/traces/${traceId}`);
    expect(trace.body.scores.toSorted((a: Listed, b: Listed) => (a.evaluator < b.evaluator ? -1 : 1))).toMatchObject([
      { score: null, label: 'friendly' },
      { score: 0.5, label: 'x' },
    ]);
    const models = await call('GET', `/models/${encodeURIComponent(model)}?range=7d`, undefined, { cookie: app.cookie });
    expect(models.body.quality.byEvaluator).toMatchObject([{ evaluator_slug: `${evaluator} 2`, eval_count: 1 }]);
    expect((await call('GET', `/score-summary?evaluator=${encodeURIComponent(evaluator)}`)).body.evaluators).toMatchObject([
      { type: 'category', count: 1, avg: null, low: null, distribution: [{ value: 'friendly', count: 1 }] },
    ]);
    for (const lacking of [{}, { label: '' }, { score: null }]) {
      const refused = await call('POST', '/scores', { traceId, evaluator, ...lacking });
      expect(refused).toMatchObject({ status: 400, body: { details: [{ path: '/score' }] } });
    }
  });
});

describe('GET .../scores', () => {
  test('is filtered, sorted and paged', async () => {
    const [evaluator, traceId] = [fresh('listed'), `listed-${names}`];
    await send(
      [3, 1, 2].map((score, index) => ({
        type: 'score',
        scoreId: `listed-${names}-${score}`,
        traceId,
        evaluator,
        score,
        timestamp: at(nowMs - (index + 1) * 1000),
      })),
    );
    await send([
      {
        type: 'score',
        scoreId: `listed-${names}-label`,
        sessionId: 'one',
        evaluator,
        label: 'good',
        timestamp: at(nowMs - 9000),
      },
    ]);
    await call('POST', '/scores', { traceId, evaluator, score: 4, comment: 'by hand' }, { cookie: member });
    await app.pipeline.drain();
    const list = async (query: string) => (await call('GET', `/scores?evaluator=${encodeURIComponent(evaluator)}&${query}`)).body;
    const numbers = async (query: string) => (await list(query)).scores.map(({ score }: { score: number | null }) => score);
    expect(await numbers('')).toEqual([4, 3, 1, 2, null]);
    expect(await numbers('sort=score')).toEqual([null, 1, 2, 3, 4]);
    expect(await numbers(`sort=timestamp&traceId=${traceId}`)).toEqual([2, 1, 3, 4]);
    expect(await numbers('source=application')).toEqual([3, 1, 2, null]);
    expect(await numbers('source=evaluator')).toEqual([]);
    const [annotation] = (await list('source=annotation')).scores;
    expect(annotation).toMatchObject({ source: 'annotation', score: 4, value: null, comment: 'by hand', metadata: {}, traceId });
    expect(await numbers(`author=${encodeURIComponent(annotation.author)}`)).toEqual([4]);
    const paged: unknown[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: { scores: Array<{ score: number | null }>; nextCursor: string | null } = await list(
        `sort=-score&limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`,
      );
      paged.push(...page.scores.map(({ score }) => score));
      cursor = page.nextCursor;
    }
    expect(paged).toEqual([4, 3, 2, 1, null]);
    const { nextCursor } = await list('limit=2');
    expect((await call('GET', `/scores?limit=2&cursor=${nextCursor}`)).status).toBe(400);
    expect((await call('GET', '/scores?limit=201')).status).toBe(400);
  });
});

describe('PATCH and DELETE .../scores/{scoreId}', () => {
  const annotate = async (by: Caller) =>
    (await call('POST', '/scores', { traceId: 'judged', evaluator: 'human', score: 1, label: 'a' }, by)).body.scoreId as string;

  test('an annotation is changed and deleted by its author and admins alone', async () => {
    const id = await annotate({ cookie: member });
    const changed = await call('PATCH', `/scores/${id}`, { score: false, comment: 'no' }, { cookie: member });
    expect(changed).toMatchObject({
      status: 200,
      body: { scoreId: id, score: 0, comment: 'no', label: 'a', source: 'annotation' },
    });
    await app.pipeline.drain();
    expect((await call('GET', '/scores?evaluator=human&traceId=judged')).body.scores).toEqual([changed.body]);
    expect((await call('PATCH', `/scores/${id}`, { score: 1 })).status).toBe(403);
    const ofOwner = await annotate({ cookie: app.cookie });
    expect((await call('DELETE', `/scores/${ofOwner}`, undefined, { cookie: member })).status).toBe(403);
    expect((await call('DELETE', `/scores/${id}`, undefined, { cookie: app.cookie })).status).toBe(204);
    await app.pipeline.drain();
    expect((await call('DELETE', `/scores/${id}`, undefined, { cookie: app.cookie })).status).toBe(404);
    expect((await recorded()).filter(({ subject }) => subject === id)).toMatchObject([
      { kind: 'score.changed', changed: ['score', 'comment'], evaluator: 'human', traceId: 'judged', source: 'annotation' },
      { kind: 'score.deleted' },
    ]);
  });

  test("an application's score leaves or follows every figure", async () => {
    const [traceId, model, scoreId] = [`figures-${++names}`, fresh('model'), `score-${names}`];
    await send([
      { type: 'span', traceId, spanId: 's', name: 'chat', kind: 'llm', model, startTime: at(nowMs) },
      { type: 'score', scoreId, traceId, spanId: 's', evaluator: 'app', score: 0.25 },
    ]);
    const quality = async () =>
      (await call('GET', `/models/${encodeURIComponent(model)}?range=7d`, undefined, { cookie: app.cookie })).body.quality
        .byEvaluator;
    expect(await quality()).toMatchObject([{ avg_score: 0.25 }]);
    expect((await call('PATCH', `/scores/${scoreId}`, { score: 1 })).status).toBe(200);
    await app.pipeline.drain();
    expect(await quality()).toMatchObject([{ avg_score: 1 }]);
    expect((await call('PATCH', `/scores/${scoreId}`, { score: null, label: 'fine' })).body).toMatchObject({
      score: null,
      label: 'fine',
    });
    await app.pipeline.drain();
    expect(await quality()).toEqual([]);
    expect((await call('DELETE', `/scores/${scoreId}`)).status).toBe(204);
    await app.pipeline.drain();
    expect((await call('GET', `/traces/${traceId}`)).body.scores).toEqual([]);
  });

  test('each change sees the one before, and a deleted score stays away', async () => {
    const id = await annotate({ cookie: member });
    await app.pipeline.drain();
    expect((await call('PATCH', `/scores/${id}`, { score: 0.5 }, { cookie: member })).status).toBe(200);
    expect((await call('PATCH', `/scores/${id}`, { comment: 'second' }, { cookie: member })).body).toMatchObject({
      score: 0.5,
      comment: 'second',
    });
    expect((await call('DELETE', `/scores/${id}`, undefined, { cookie: member })).status).toBe(204);
    expect((await call('PATCH', `/scores/${id}`, { comment: 'third' }, { cookie: member })).status).toBe(404);
    await app.pipeline.drain();
    expect((await call('DELETE', `/scores/${id}`, undefined, { cookie: member })).status).toBe(404);
  });

  test('POST with the scoreId of a score that exists is a change of it by the same rule; keys send theirs again', async () => {
    const id = await annotate({ cookie: member });
    const post = (score: number, by: Caller, scoreId = id) =>
      call('POST', '/scores', { scoreId, traceId: 'judged', evaluator: 'human', score, label: 'a', timestamp: at(nowMs) }, by);
    const other = await addMember(app.url, { cookie: app.cookie }, app.organizationId, {
      email: 'other@example.com',
      name: 'Other',
      role: 'member',
      password: 'a password of theirs',
    });
    expect(await post(0, { cookie: other.cookie })).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    expect((await post(1, { cookie: member })).status).toBe(201);
    expect((await recorded()).filter(({ subject }) => subject === id)).toEqual([]);
    expect((await post(0.5, { cookie: member })).status).toBe(201);
    expect((await post(0.25, { cookie: app.cookie })).status).toBe(201);
    await app.pipeline.drain();
    expect((await call('GET', '/scores?evaluator=human&traceId=judged')).body.scores).toContainEqual(
      expect.objectContaining({ scoreId: id, score: 0.25 }),
    );
    expect((await recorded()).filter(({ subject }) => subject === id)).toMatchObject([
      { kind: 'score.changed', changed: ['score'] },
      { kind: 'score.changed', changed: ['score', 'author'] },
    ]);
    const byKey = { 'x-api-key': app.apiKey };
    for (const score of [1, 1, 0]) expect((await post(score, byKey, `key-${id}`)).status).toBe(201);
    expect((await recorded()).filter(({ subject }) => subject === `key-${id}`)).toEqual([]);
  });

  test('400 and 404', async () => {
    const id = await annotate({ cookie: member });
    for (const body of [{}, { score: 'x' }, { other: 1 }, { score: null, label: null }, { evaluator: 'x' }])
      expect((await call('PATCH', `/scores/${id}`, body, { cookie: member })).status, JSON.stringify(body)).toBe(400);
    expect((await call('PATCH', '/scores/unknown', { score: 'x' })).status).toBe(404);
    expect((await call('DELETE', '/scores/unknown')).status).toBe(404);
  });
});

interface Given {
  score: number | null;
  passed: boolean | null;
  label: string;
  day: number;
  trace: number;
  onSpan: boolean;
}

/** The oracle: what a summary says of these scores, worked out one by one. */
function expectedFigures(scores: readonly Given[]) {
  const numbers = scores.flatMap(({ score }) => (score === null ? [] : [score]));
  const verdicts = scores.flatMap(({ passed }) => (passed === null ? [] : [passed]));
  return {
    count: scores.length,
    avg: numbers.length === 0 ? null : numbers.reduce((sum, one) => sum + one, 0) / numbers.length,
    passRate: verdicts.length === 0 ? null : verdicts.filter(Boolean).length / verdicts.length,
  };
}

describe('GET .../score-summary', () => {
  /** Traces: one call of a model and an agent; a trace of two models; one without a call. */
  const traces = [
    { model: ['sum-a'], agent: 'planner', release: 'r1' },
    { model: ['sum-a', 'sum-b'], agent: 'writer', release: 'r2' },
    { model: [], agent: '', release: '' },
  ];
  beforeAll(async () => {
    await send(
      traces.flatMap(({ model, agent, release }, index) =>
        model.map((name, call) => ({
          type: 'span',
          traceId: `sum-${index}`,
          spanId: `call-${call}`,
          name: 'chat',
          kind: 'llm',
          model: name,
          agentName: agent,
          release,
          promptName: 'p',
          promptVersion: call + 1,
          startTime: at(nowMs - 3600_000),
        })),
      ),
    );
  });
  const groupOf = (by: string, { trace, onSpan }: Given): string | null => {
    const { model, agent, release } = traces[trace] ?? { model: [], agent: '', release: '' };
    if (model.length === 0) return null;
    if (by === 'release') return release;
    if (by === 'agent') return agent;
    const ofCalls = by === 'model' ? model : model.map((_name, index) => `p#${index + 1}`);
    return onSpan || new Set(ofCalls).size === 1 ? (ofCalls[0] ?? null) : null;
  };
  const given: fc.Arbitrary<Given> = fc.record({
    score: fc.option(fc.integer({ min: -4, max: 12 }).map((eighths) => eighths / 8)),
    passed: fc.option(fc.boolean()),
    label: fc.constantFrom('good', 'bad'),
    day: fc.nat(3),
    trace: fc.nat(2),
    onSpan: fc.boolean(),
  });

  test('agrees with figures worked out one by one', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(given, { minLength: 1, maxLength: 30 }),
        fc.constantFrom('model', 'agent', 'promptVersion', 'release'),
        async (scores, by) => {
          const evaluator = fresh('summed');
          await send(
            scores.map(({ score, passed, label, day, trace, onSpan }) => ({
              type: 'score',
              traceId: `sum-${trace}`,
              ...(onSpan ? { spanId: 'call-0' } : {}),
              evaluator,
              score,
              passed,
              label,
              timestamp: at(nowMs - day * dayMs),
            })),
          );
          const kept = scores.filter(({ day }) => day < 3);
          const { body } = await call(
            'GET',
            `/score-summary?evaluator=${encodeURIComponent(evaluator)}&by=${by}&from=${at(nowMs - 3 * dayMs + 1)}`,
          );
          expect(body.evaluators).toHaveLength(kept.length === 0 ? 0 : 1);
          if (kept.length === 0) return;
          const [summary] = body.evaluators;
          expect(summary).toMatchObject({ evaluator, ...expectedFigures(kept) });
          const numbers = kept.flatMap(({ score }) => (score === null ? [] : [score])).toSorted((a, b) => a - b);
          expect(summary.type).toBe(numbers.length > 0 ? 'number' : 'category');
          const distribution = summary.distribution as Array<{ from: number; to: number; value: string; count: number }>;
          expect(distribution.reduce((sum, { count }) => sum + count, 0)).toBe(numbers.length || kept.length);
          if (numbers.length > 0) {
            expect([distribution[0]?.from, distribution.at(-1)?.to]).toEqual([numbers[0], numbers.at(-1)]);
            for (const [index, { from, to, count }] of distribution.entries()) {
              const isLast = index === distribution.length - 1;
              // An eighth is exact; an edge of a tenth of the range is so only up to rounding.
              const near = (edge: number) => numbers.filter((one) => Math.abs(one - edge) < 1e-9).length;
              const within = numbers.filter((one) => one >= from && (isLast ? one <= to : one < to)).length;
              expect(Math.abs(count - within)).toBeLessThanOrEqual(near(from) + near(to));
            }
          } else {
            for (const { value, count } of distribution) expect(count).toBe(kept.filter(({ label }) => label === value).length);
          }
          if (numbers.length > 1) {
            const mean = summary.avg as number;
            const variance = numbers.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (numbers.length - 1);
            expect(summary.high - mean).toBeCloseTo(1.96 * Math.sqrt(variance / numbers.length), 4);
            expect(mean - summary.low).toBeCloseTo(summary.high - mean, 9);
          } else expect([summary.low, summary.high]).toEqual([null, null]);
          const days = [...new Set(kept.map(({ day }) => day))].toSorted((a, b) => b - a);
          expect(summary.timeline).toEqual(
            days.map((day) => ({
              day: at(nowMs - day * dayMs).slice(0, 10),
              ...expectedFigures(kept.filter((one) => one.day === day)),
            })),
          );
          const groups = new Set(kept.map((one) => groupOf(by, one)));
          expect(summary.by).toHaveLength(groups.size);
          for (const value of groups)
            expect(summary.by).toContainEqual({ value, ...expectedFigures(kept.filter((one) => groupOf(by, one) === value)) });
        },
      ),
      { numRuns: 15 },
    );
  });

  test('groups by author, lists evaluators by name, and takes a range', async () => {
    const evaluator = fresh('authored');
    await call('POST', '/scores', { traceId: 'sum-0', evaluator, score: 1 }, { cookie: member });
    await call('POST', '/scores', { traceId: 'sum-0', evaluator, score: 0 });
    await app.pipeline.drain();
    const { body } = await call('GET', '/score-summary?range=7d&by=author');
    const evaluators = body.evaluators.map((one: { evaluator: string }) => one.evaluator);
    expect(evaluators).toEqual(evaluators.toSorted());
    const summary = body.evaluators.find((one: { evaluator: string }) => one.evaluator === evaluator);
    expect(summary.by.map(({ avg }: { avg: number }) => avg).toSorted()).toEqual([0, 1]);
    const instant = at(nowMs - dayMs);
    for (const query of ['range=1d', 'by=user', 'from=x', `from=${instant}&to=${instant}`])
      expect((await call('GET', `/score-summary?${query}`)).status).toBe(400);
  });

  test('has the first 100 evaluators by name, each with its own figures', async () => {
    const name = (index: number) => `!many ${String(index).padStart(3, '0')}`;
    const timestamp = at(nowMs - 5 * dayMs);
    // 100 events at most in a request.
    for (const first of [0, 34, 68])
      await send(
        Array.from({ length: 34 }, (_, index) => first + index).flatMap((index) => [
          { type: 'score', traceId: 'many', evaluator: name(index), score: index, timestamp },
          { type: 'score', traceId: 'many', evaluator: name(index), label: `label ${index}`, timestamp },
        ]),
      );
    const { body } = await call('GET', `/score-summary?from=${at(nowMs - 6 * dayMs)}&to=${at(nowMs - 4 * dayMs)}`);
    expect([body.truncated, body.evaluators.length]).toEqual([true, 100]);
    for (const [index, summary] of body.evaluators.entries())
      expect(summary).toMatchObject({
        evaluator: name(index),
        count: 2,
        avg: index,
        distribution: [{ from: index, to: index, count: 1 }],
        timeline: [{ day: timestamp.slice(0, 10), count: 2 }],
      });
  });
});
