import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runs } from '../../../test/support/runs.ts';
import { startTestApp } from '../../../test/support/app.ts';
import type { TestApp } from '../../../test/support/app.ts';
import type { PromptMetrics } from '../../contract/prompts.ts';
import { dayMs } from '../../contract/durations.ts';

const startMs = Date.UTC(2026, 10, 21, 13);
const today = Date.UTC(2026, 10, 21);

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp(startMs);
});
afterAll(() => app.close());

const iso = (ms: number) => new Date(ms).toISOString();
const metrics = async (name: string, query = '') => {
  const { status, body } = await app.get(`/v1/projects/${app.projectId}/prompts/${encodeURIComponent(name)}/metrics${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return (body as PromptMetrics).versions;
};
const call = (fields: object, { at = startMs - 60_000, ms = 1_000 }: { at?: number; ms?: number | null } = {}) => ({
  type: 'span',
  name: 'chat',
  kind: 'llm',
  model: 'm',
  costUsd: 0.5,
  startTime: iso(at),
  ...(ms === null ? {} : { endTime: iso(at + ms) }),
  ...fields,
});
const score = (fields: object) => ({ type: 'score', evaluator: 'helpful', score: 1, timestamp: iso(startMs), ...fields });
const send = async (events: readonly object[]) => {
  for (let from = 0; from < events.length; from += 100)
    expect(await app.send(events.slice(from, from + 100))).toMatchObject({ rejected: [] });
};

describe('GET /v1/projects/{id}/prompts/{name}/metrics', () => {
  test('200: calls, cost, latency and errors by version, newest first', async () => {
    const of = (promptVersion: unknown, rest: object = {}) => ({ promptName: 'a/b', promptVersion, ...rest });
    await send([
      call({ traceId: 'x1', spanId: '1', ...of(1) }),
      call({ traceId: 'x1', spanId: '2', ...of('1', { status: 'error' }) }, { ms: 3_000 }),
      call({ traceId: 'x1', spanId: '3', ...of(10, { kind: 'embedding', costUsd: 0.1 }) }),
      call({ traceId: 'x1', spanId: '4', ...of(10, { costUsd: 0.2 }) }, { ms: null }),
      // No calls of this prompt's versions.
      call({ traceId: 'x1', spanId: '5', ...of(1, { kind: 'tool' }) }),
      call({ traceId: 'x1', spanId: '6', ...of('v2') }),
      call({ traceId: 'x1', spanId: '7', ...of('01') }),
      call({ traceId: 'x1', spanId: '8', promptName: 'a/b' }),
      call({ traceId: 'x1', spanId: '9', promptName: 'other', promptVersion: 1 }),
    ]);
    const none = { unpricedCalls: 0, partlyPricedCalls: 0, avgScore: null, evalCount: 0 };
    expect(await metrics('a/b')).toEqual([
      { version: 10, calls: 2, costUsd: 0.3, avgLatencyMs: 1_000, errorRate: 0, ...none },
      { version: 1, calls: 2, costUsd: 1, avgLatencyMs: 2_000, errorRate: 0.5, ...none },
    ]);
    expect(await metrics('none')).toEqual([]);
  });

  test('200: scores of its calls, and of traces that used this prompt version only', async () => {
    const one = { promptName: 'scored', promptVersion: 1 };
    const two = { promptName: 'scored', promptVersion: 2 };
    await send([
      call({ traceId: 's1', spanId: 'a', ...one }),
      call({ traceId: 's1', spanId: 'b', ...two }),
      score({ traceId: 's1', spanId: 'a', score: 0.25 }),
      score({ traceId: 's1', spanId: 'b', score: 1 }),
      // A trace with two versions counts for neither.
      score({ traceId: 's1', score: 0 }),
      call({ traceId: 's2', spanId: 'a', ...one }),
      call({ traceId: 's2', spanId: 'b', ...one }),
      call({ traceId: 's2', spanId: 'c' }),
      score({ traceId: 's2', score: 0.75 }),
      score({ traceId: 's2', spanId: 'c', score: 0 }),
      call({ traceId: 's3', spanId: 'a', ...two }),
      call({ traceId: 's3', spanId: 'b', promptName: 'another', promptVersion: 1 }),
      score({ traceId: 's3', score: 0 }),
      score({ sessionId: 'session', score: 0 }),
      score({ traceId: 'unknown', score: 0 }),
      // A trace of the other prompt only.
      call({ traceId: 's4', spanId: 'a', promptName: 'another', promptVersion: 1 }),
      score({ traceId: 's4', score: 0 }),
    ]);
    expect(await metrics('scored')).toMatchObject([
      { version: 2, calls: 2, avgScore: 1, evalCount: 1 },
      { version: 1, calls: 3, avgScore: 0.5, evalCount: 2 },
    ]);
  });

  test('200: a range is whole UTC days including today; a score counts by its own time', async () => {
    const of = { promptName: 'ranged', promptVersion: 1 };
    await send([
      call({ traceId: 'r1', spanId: 'in', ...of }, { at: today - 6 * dayMs }),
      call({ traceId: 'r1', spanId: 'out', ...of }, { at: today - 6 * dayMs - 1 }),
      score({ traceId: 'r1', spanId: 'out', score: 0.5 }),
      score({ traceId: 'r1', spanId: 'in', score: 1, timestamp: iso(today - 6 * dayMs - 1) }),
    ]);
    expect(await metrics('ranged', '?range=7d')).toMatchObject([{ calls: 1, avgScore: 0.5, evalCount: 1 }]);
    const firstMs = today - 6 * dayMs;
    expect(await metrics('ranged', `?from=${iso(firstMs - 1)}&to=${iso(firstMs)}`)).toMatchObject([{ calls: 2, evalCount: 1 }]);
    expect(await metrics('ranged', `?from=${iso(firstMs)}&to=${iso(firstMs + 1)}`)).toMatchObject([{ calls: 1, evalCount: 0 }]);
    expect(await metrics('ranged', `?from=${iso(today)}`)).toMatchObject([{ calls: 0, evalCount: 1 }]);
    expect(await metrics('ranged')).toMatchObject([{ calls: 2, avgScore: 0.75, evalCount: 2 }]);
    // Its call is after the range.
    const early = `from=${iso(firstMs - dayMs)}&to=${iso(firstMs - 2)}`;
    expect(await metrics('ranged', `?${early}`)).toEqual([]);
    await send([score({ traceId: 'r1', spanId: 'in', evaluator: 'early', score: 0.25, timestamp: iso(firstMs - 1_000) })]);
    expect(await metrics('ranged', `?${early}`)).toMatchObject([{ calls: 0, avgScore: 0.25, evalCount: 1 }]);
    const bad = await app.get(`/v1/projects/${app.projectId}/prompts/a/metrics?range=1d`);
    expect(bad).toMatchObject({ status: 400, body: { code: 'invalid_request', details: [{ path: '/range' }] } });
  });

  test('200: a range that begins after the last time of the engine is empty', async () => {
    expect(await metrics('far', '?from=2262-04-11T23:47:17.000Z')).toEqual([]);
  });

  test('401 without credentials, 404 for a key of another project, 200 for its own key', async () => {
    const path = (id: string) => `${app.url}/v1/projects/${id}/prompts/a%2Fb/metrics`;
    const own = await fetch(path(app.projectId), { headers: { 'x-api-key': app.apiKey } });
    expect([own.status, ((await own.json()) as PromptMetrics).versions.length]).toEqual([200, 2]);
    expect((await fetch(path(app.projectId))).status).toBe(401);
    expect((await fetch(path(app.organizationId), { headers: { 'x-api-key': app.apiKey } })).status).toBe(404);
    expect((await fetch(path(app.organizationId), { headers: { cookie: app.cookie } })).status).toBe(403);
  });

  test('figures equal those of an oracle for random spans and scores', async () => {
    const span = fc.record({
      trace: fc.constantFrom('a', 'b', 'c'),
      name: fc.constantFrom('p', 'q', ''),
      version: fc.constantFrom(1, 2),
      kind: fc.constantFrom('llm', 'embedding', 'tool'),
      error: fc.boolean(),
      ms: fc.option(fc.integer({ min: 0, max: 5_000 })),
      cost: fc.integer({ min: 0, max: 1_000 }).map((cents) => cents / 100),
      daysAgo: fc.constantFrom(0, 3, 6, 7, 20),
    });
    const mark = fc.record({
      trace: fc.constantFrom('a', 'b', 'c'),
      span: fc.option(fc.nat(11)),
      score: fc.integer({ min: 0, max: 10 }).map((tenths) => tenths / 10),
      daysAgo: fc.constantFrom(0, 6, 7),
    });
    let corpora = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(span, { maxLength: 12 }),
        fc.array(mark, { maxLength: 8 }),
        // Days of the window, and how many days ago it ends; 0: of one that the service names.
        fc.constantFrom([7, 0], [30, 0], [25, 5]),
        async (spans, marks, [days = 0, until = 0]) => {
          const isInWindow = ({ daysAgo }: { daysAgo: number }) => daysAgo >= until && daysAgo < days;
          const run = `run ${++corpora}`;
          const traceOf = (trace: string) => `${run.replace(' ', '-')}-${trace}`;
          const named = (name: string) => (name === '' ? {} : { promptName: `${run} ${name}` });
          await send([
            ...spans.map(({ trace, name, version, kind, error, ms, cost, daysAgo }, index) =>
              call(
                {
                  traceId: traceOf(trace),
                  spanId: String(index),
                  ...named(name),
                  promptVersion: version,
                  kind,
                  costUsd: cost,
                  status: error ? 'error' : 'ok',
                },
                { at: startMs - daysAgo * dayMs, ms },
              ),
            ),
            ...marks.map(({ trace, span: on, score: value, daysAgo }, index) =>
              score({
                traceId: traceOf(trace),
                ...(on === null ? {} : { spanId: String(on) }),
                score: value,
                timestamp: iso(startMs - daysAgo * dayMs),
                evaluator: `e${index}`,
              }),
            ),
          ]);
          const calls = spans.map((each, index) => ({ ...each, index })).filter(({ kind }) => kind !== 'tool');
          const scoresOf = (version: number) =>
            marks.filter(({ trace, span: on, daysAgo }) => {
              if (!isInWindow({ daysAgo })) return false;
              if (on !== null) {
                return calls.some(
                  (each) => each.trace === trace && each.index === on && each.name === 'p' && each.version === version,
                );
              }
              const prompts = new Set(
                calls.filter((each) => each.trace === trace && each.name !== '').map((each) => `${each.name}${each.version}`),
              );
              return prompts.size === 1 && prompts.has(`p${version}`);
            });
          const expected = [2, 1].flatMap((version) => {
            const own = calls.filter((each) => each.name === 'p' && each.version === version && isInWindow(each));
            const scores = scoresOf(version).map((each) => each.score);
            if (own.length + scores.length === 0) return [];
            const finished = own.flatMap(({ ms }) => ms ?? []);
            const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
            return {
              version,
              calls: own.length,
              costUsd: expect.closeTo(sum(own.map(({ cost }) => cost)), 9),
              unpricedCalls: 0,
              partlyPricedCalls: 0,
              avgLatencyMs: expect.closeTo(finished.length === 0 ? 0 : sum(finished) / finished.length, 6),
              errorRate: expect.closeTo(own.length === 0 ? 0 : own.filter(({ error }) => error).length / own.length, 9),
              avgScore: scores.length === 0 ? null : expect.closeTo(sum(scores) / scores.length, 9),
              evalCount: scores.length,
            };
          });
          const dates = `from=${iso(startMs - days * dayMs + 1)}&to=${iso(startMs - until * dayMs)}`;
          expect(await metrics(`${run} p`, until === 0 ? `?range=${days}d` : `?${dates}`)).toEqual(expected);
        },
      ),
      { numRuns: runs({ usual: 6, nightly: 15 }) },
    );
  });
});
