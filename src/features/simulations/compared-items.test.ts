import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { answersJson } from '../../../test/support/simulation-target.ts';
import type { Received } from '../../../test/support/simulation-target.ts';
import type { BatchItem, BatchRun, Distributions, ItemChange } from '../../contract/simulations.ts';
import { itemChanges } from '../../contract/simulations.ts';
import { rangeEdges } from './batch-runs/get-distributions.ts';
import { openSimulationsApp } from './simulations-app.fixture.ts';
import type { SimulationsApp } from './simulations-app.fixture.ts';

const kinds = ['passed', 'failed', 'error'] as const;
/** Every pair of results. */
const pairs = kinds.flatMap((before) => kinds.map((now) => ({ before, now })));

let own: SimulationsApp;
let datasetId: string;
let itemIds: string[];
let scenarioId: string;
let baseline: BatchRun;
let candidate: BatchRun;
beforeAll(async () => {
  own = await openSimulationsApp();
  ({ id: datasetId, itemIds } = await own.dataset(pairs.map((input) => ({ input, expectedOutput: 'right' }))));
  scenarioId = await own.scenario({ datasetId, referenceMatch: { mode: 'exact' } });
  baseline = await runWith('before');
  candidate = await runWith('now', { repetitions: 2 });
});
afterAll(() => own.close());

/** A run whose items end as their input says. */
function runWith(side: 'before' | 'now', body: object = {}): Promise<BatchRun> {
  own.target.answers((response, request: Received) => {
    const kind = request.body.input[side];
    if (kind === 'error') response.writeHead(500).end();
    else answersJson({ output: kind === 'passed' ? 'right' : 'wrong' })(response, request);
  });
  return own.completed(scenarioId, body);
}

/** The changes of a pair, written down by hand. */
const expected: Readonly<Record<string, ItemChange[]>> = {
  'passed passed': ['unchanged'],
  'passed failed': ['regressed'],
  'passed error': ['regressed', 'newly_failing'],
  'failed passed': ['improved'],
  'failed failed': ['unchanged'],
  'failed error': ['newly_failing'],
  'error passed': ['improved'],
  'error failed': ['improved'],
  'error error': ['unchanged'],
};
const changesOfPair = ({ before, now }: (typeof pairs)[number]) => expected[`${before} ${now}`] ?? [];

const distributions = async (id: string, query = ''): Promise<Distributions> =>
  (await own.simulations('GET', `/batch-runs/${id}/distributions${query}`)).body;

describe('items beside those of a baseline', () => {
  test('have their changes and the result of the baseline', async () => {
    const items = await own.items(candidate.id, `&baseline=${baseline.id}`);
    const before = await own.items(baseline.id);
    expect(items).toHaveLength(2 * pairs.length);
    for (const [index, item] of items.entries()) {
      const place = Math.floor(index / 2);
      const pair = pairs[place] ?? pairs[0];
      expect(item.changes?.toSorted(), JSON.stringify(pair)).toEqual(pair && changesOfPair(pair).toSorted());
      const { datasetItemId, inputPreview: _input, ...result } = before[place] ?? ({} as BatchItem);
      expect(datasetItemId).toBe(item.datasetItemId);
      // The baseline has one repetition only.
      expect(item.baseline).toEqual(result);
    }
    expect((await own.items(candidate.id))[0]).not.toHaveProperty('baseline');
  });

  test('are filtered by their change, a page at a time, and counted', async () => {
    const { changes } = await distributions(candidate.id, `?baseline=${baseline.id}`);
    for (const change of itemChanges) {
      const wanted = pairs.flatMap((pair, index) =>
        changesOfPair(pair).includes(change) ? [[itemIds[index], 1] as const, [itemIds[index], 2] as const] : [],
      );
      const found: Array<readonly [string, number]> = [];
      for (let cursor = ''; ;) {
        const { body } = await own.simulations(
          'GET',
          `/batch-runs/${candidate.id}/items?baseline=${baseline.id}&change=${change}&limit=3${cursor}`,
        );
        for (const { datasetItemId, repetition } of body.items) found.push([datasetItemId, repetition]);
        if (body.nextCursor === null) break;
        cursor = `&cursor=${body.nextCursor}`;
      }
      expect(found, change).toEqual(wanted);
      expect(changes?.[change]).toBe(wanted.length);
    }
    const both = await own.items(candidate.id, `&baseline=${baseline.id}&change=regressed&status=error`);
    expect(both.map(({ status }) => status)).toEqual(['error', 'error']);
  });

  test('of another dataset have none, nor have those that did not end', async () => {
    const other = await own.dataset([{ input: pairs[0] }]);
    const elsewhere = await own.completed(await own.scenario({ datasetId: other.id }));
    const items = await own.items(candidate.id, `&baseline=${elsewhere.id}`);
    expect(items.every((item) => item.baseline === null && item.changes?.length === 0)).toBe(true);
    const cancelled = await own.start(scenarioId);
    await own.simulations('POST', `/batch-runs/${cancelled.id}/cancel`);
    expect((await own.items(cancelled.id, `&baseline=${baseline.id}`))[0]).toMatchObject({
      status: 'cancelled',
      changes: [],
      baseline: { status: 'passed' },
    });
    expect((await distributions(cancelled.id, `?baseline=${baseline.id}`)).changes).toEqual({
      regressed: 0,
      improved: 0,
      unchanged: 0,
      newly_failing: 0,
    });
  });

  test('are refused for an unknown baseline, and a change without one', async () => {
    for (const path of ['items', 'distributions']) {
      const unknown = await own.simulations('GET', `/batch-runs/${candidate.id}/${path}?baseline=none`);
      expect(unknown).toMatchObject({ status: 404, body: { code: 'not_found' } });
      expect((await own.simulations('GET', `/batch-runs/none/${path}?baseline=none`)).status).toBe(404);
    }
    const without = await own.simulations('GET', `/batch-runs/${candidate.id}/items?change=regressed`);
    expect(without).toMatchObject({ status: 400, body: { details: [{ path: '/baseline' }] } });
    expect((await own.simulations('GET', `/batch-runs/${candidate.id}/items?change=none`)).status).toBe(400);
  });
});

describe('distributions', () => {
  /** Sets the measures of the items of a run, in order. */
  async function measure(
    id: string,
    latencies: ReadonlyArray<number | null>,
    costs: ReadonlyArray<number | null>,
  ): Promise<void> {
    const { db } = own.app.features.simulations.context;
    await sql`UPDATE simulation_items AS item SET latency_ms = new.latency_ms, cost_usd = new.cost_usd
      FROM (SELECT place, repetition, (row_number() OVER (ORDER BY place, repetition))::int AS at FROM simulation_items WHERE batch_run_id = ${id}::uuid) AS old
      JOIN unnest(${[...latencies]}::float8[], ${[...costs]}::float8[]) WITH ORDINALITY AS new (latency_ms, cost_usd, at) ON new.at = old.at
      WHERE item.batch_run_id = ${id}::uuid AND item.place = old.place AND item.repetition = old.repetition`.execute(db);
  }

  test('count each item of both runs once, in ranges that do not overlap', async () => {
    const value = fc.option(fc.oneof(fc.double({ min: 0, max: 1e6, noNaN: true }), fc.integer({ min: 0, max: 50 })), { freq: 6 });
    const values = (length: number) => fc.array(value, { minLength: length, maxLength: length });
    await fc.assert(
      fc.asyncProperty(values(18), values(18), values(9), values(9), async (latencies, costs, oldLatencies, oldCosts) => {
        await measure(candidate.id, latencies, costs);
        await measure(baseline.id, oldLatencies, oldCosts);
        const beside = await distributions(candidate.id, `?baseline=${baseline.id}`);
        for (const [ranges, now, before] of [
          [beside.latencyMs, latencies, oldLatencies],
          [beside.costUsd, costs, oldCosts],
        ] as const) {
          expect(ranges.length).toBeLessThanOrEqual(25);
          const inside = (from: number, to: number | null) => (one: number | null) =>
            one !== null && one >= from && (to === null || one < to);
          for (const [index, { from, to, count, baseline: compared }] of ranges.entries()) {
            expect(to).toBe(ranges[index + 1]?.from ?? null);
            expect(count).toBe(now.filter(inside(from, to)).length);
            expect(compared).toBe(before.filter(inside(from, to)).length);
          }
          expect(ranges.reduce((sum, { count }) => sum + count, 0)).toBe(now.filter((one) => one !== null).length);
          expect(ranges.reduce((sum, range) => sum + (range.baseline ?? 0), 0)).toBe(before.filter((one) => one !== null).length);
        }
      }),
      { numRuns: 20 },
    );
    const alone = await distributions(candidate.id);
    expect(alone.changes).toBeNull();
    expect(alone.latencyMs.every(({ baseline: compared }) => compared === null)).toBe(true);
  });

  test('are empty without values', async () => {
    await measure(
      candidate.id,
      Array.from({ length: 18 }, () => null),
      Array.from({ length: 18 }, () => null),
    );
    expect(await distributions(candidate.id)).toEqual({ latencyMs: [], costUsd: [], changes: null });
  });

  test('have ranges of a round width that reach from the lowest value beyond the highest', () => {
    expect(rangeEdges(0, 0)).toEqual([0, 1]);
    expect(rangeEdges(3, 40)).toEqual(Array.from({ length: 21 }, (_, index) => (index + 1) * 2));
    const measure = fc.double({ min: 0, max: 1e9, noNaN: true });
    fc.assert(
      fc.property(measure, measure, (one, two) => {
        const [low, high] = [Math.min(one, two), Math.max(one, two)];
        const edges = rangeEdges(low, high);
        expect(edges.length).toBeLessThanOrEqual(25);
        expect(edges[0]).toBeLessThanOrEqual(low);
        expect(edges.at(-1)).toBeGreaterThan(high);
        expect(edges.every((edge, index) => index === 0 || edge > (edges[index - 1] ?? 0))).toBe(true);
      }),
    );
  });
});
