import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runs } from '../../../test/support/runs.ts';
import { openTestClickHouse } from '../../../test/support/analytics.ts';
import { listTracesQuery } from '../../contract/traces.ts';
import { traceSorts } from '../../contract/kinds.ts';
import type { ListTracesQuery } from '../../contract/traces.ts';
import { ManualClock } from '../../platform/clock/clock.ts';
import type { ClickHouse } from '../../platform/clickhouse/index.ts';
import type { Tenant } from '../../platform/http/index.ts';
import { listTraces } from './list-traces.ts';
import type { WalkSteps } from './list-traces.ts';
import { storeRows, storeTraces } from './stored-traces.fixture.ts';
import type { StoredScore, StoredSpan, StoredTrace } from './stored-traces.fixture.ts';
import type { TracesContext } from './traces-context.ts';
import { SpanMapper } from './span-mapper.ts';
import { outcomesOfTrace, ownPrices, unsearched } from './traces-service.fixture.ts';
import { noViews } from '../views/no-views.fixture.ts';

const nowMs = Date.UTC(2026, 10, 20, 10);
const nowNs = BigInt(nowMs) * 1_000_000n;

let clickhouse: ClickHouse;
let close: () => Promise<void>;
let context: TracesContext;
let projects = 0;

beforeAll(async () => {
  ({ clickhouse, close } = await openTestClickHouse());
  context = {
    clickhouse,
    clock: new ManualClock(nowMs),
    pipeline: { deleteTrace: () => Promise.resolve(false) },
    outcomesOfTrace,
    ownPrices,
    mapper: new SpanMapper(),
    views: noViews,
    search: unsearched,
  };
});
afterAll(() => close());

function newTenant(): Tenant {
  return {
    projectId: `0197c000-0000-7000-8000-${String(++projects).padStart(12, '0')}`,
    organizationId: '0197c000-0000-7000-8000-0000000000aa',
    plan: 'scale',
  };
}

/** The rows of all pages; `between` runs after each page. */
async function allPages(
  tenant: Tenant,
  query: Partial<ListTracesQuery>,
  steps?: WalkSteps,
  between?: (page: number) => Promise<void>,
): Promise<string[][]> {
  const pages: string[][] = [];
  let cursor: string | undefined;
  do {
    const parsed = { ...listTracesQuery.parse({}), ...query, cursor };
    const { traces, nextCursor } = await listTraces(context, tenant, parsed, steps);
    pages.push(traces.map((trace) => trace.traceId));
    cursor = nextCursor ?? undefined;
    await between?.(pages.length);
  } while (cursor !== undefined && pages.length < 200);
  return pages;
}

// Few values, so that equal keys, versions of one row and matching filters are common.
const ids = ['a', 'B', 'c', 'é', 'z z', "q'", '\\', 'aa', 'ab', 'ac', 'ad', 'ae'] as const;
const dayNs = 86_400_000_000_000n;
const isDeleted = fc.constantFrom(0 as const, 0 as const, 0 as const, 1 as const);
const storedTrace = fc.record({
  trace_id: fc.constantFrom(...ids),
  start_ns: fc.constantFrom(0n, 1n, 2n, 1_000_000n, 3_600_000_000_000n, dayNs).map((back) => nowNs - back),
  version: fc.integer({ min: 1, max: 3 }),
  is_deleted: isDeleted,
  duration_ms: fc.constantFrom(null, 0, 0.1, 12.345678, 1e6),
  cost: fc.constantFrom(0, 0.1 + 0.2, 1e-7, 3),
  error: fc.constantFrom(0 as const, 1 as const),
  models: fc.subarray(['m', 'n']),
  tags: fc.subarray(['t', 'u']),
});

// A row may be older than the retention edge, in another month than its previous version, without a trace, or of a session only.
const storedRow = {
  trace_id: fc.constantFrom(...ids, 'unknown', ''),
  start_ns: fc.constantFrom(0n, 1_000_000n, 30n * dayNs, 364n * dayNs, 366n * dayNs).map((back) => nowNs - back),
  version: fc.integer({ min: 1, max: 3 }),
  is_deleted: isDeleted,
};
const storedScore = fc.record({
  ...storedRow,
  score_id: fc.constantFrom('1', '2'),
  span_id: fc.constantFrom('', 's'),
  evaluator: fc.constantFrom('e', 'f'),
  score: fc.constantFrom(-1, 0, 0.5, 0.1 + 0.2, 1),
  passed: fc.constantFrom(null, 0 as const, 1 as const),
});
const storedSpan = fc.record({
  ...storedRow,
  span_id: fc.constantFrom('', 's', 't'),
  prompt_name: fc.constantFrom('', 'p', 'P'),
  prompt_version: fc.constantFrom('', '1', '2'),
});

const summaryFilters = {
  sort: fc.constantFrom(...traceSorts),
  limit: fc.integer({ min: 1, max: 7 }),
  model: fc.subarray(['m', 'n', 'o'], { minLength: 1 }),
  tag: fc.subarray(['t', 'u'], { minLength: 1 }),
  status: fc.constantFrom('ok' as const, 'error' as const),
  minLatency: fc.constantFrom(0, 0.1, 100),
  minCost: fc.constantFrom(0.3, 1),
  range: fc.constantFrom('7d' as const, '30d' as const),
};
const question = fc.record(summaryFilters, { requiredKeys: ['sort', 'limit'] });
const { limit, tag } = summaryFilters;
/** Also by a score. */
const sort = fc.constantFrom(...traceSorts, 'score.e' as const, '-score.e' as const);
const memberFilters = fc.record({
  tag,
  evaluator: fc.constantFrom('e', 'f', 'g'),
  minScore: fc.constantFrom(-1, 0, 0.3),
  maxScore: fc.constantFrom(0.3, 0.5, 1),
  passed: fc.constantFrom('true' as const, 'false' as const),
  unscoredBy: fc.constantFrom('e', 'f'),
  promptName: fc.constantFrom('p', 'P', 'x'),
  promptVersion: fc.constantFrom('1', '2'),
  session: fc.constant(['s']),
});
const filterNames = [
  'tag',
  'evaluator',
  'minScore',
  'maxScore',
  'passed',
  'unscoredBy',
  'promptName',
  'promptVersion',
  'session',
];
/** Up to three filters, so that some traces match. */
const memberQuestion = fc
  .tuple(fc.record({ sort, limit }), memberFilters, fc.subarray(filterNames, { minLength: 1, maxLength: 3 }))
  .map(([asked, filters, names]): Question => {
    return { ...asked, ...Object.fromEntries(Object.entries(filters).filter(([name]) => names.includes(name))) };
  });

interface Model extends Required<Pick<StoredTrace, 'trace_id' | 'start_ns' | 'cost' | 'error' | 'models' | 'tags'>> {
  duration_ms: number | null;
}

type Question = Partial<ListTracesQuery> & { sort: ListTracesQuery['sort'] };

interface Versioned {
  version: number;
  is_deleted: 0 | 1;
}

/** Distinct versions, as ingestion assigns them: equal versions in parts of two months have no order. */
function numbered<T extends Versioned>(rows: readonly T[]): T[] {
  return rows.map((row, index) => ({ ...row, version: row.version * 1000 + index }));
}

/** The current rows: the highest version of each, without tombstones. */
function standing<T extends Versioned>(rows: readonly T[], keyOf: (row: T) => string): T[] {
  const latest = new Map<string, T>();
  for (const row of rows) {
    const other = latest.get(keyOf(row));
    if (!other || row.version >= other.version) latest.set(keyOf(row), row);
  }
  return [...latest.values()].filter((row) => row.is_deleted === 0);
}

/** The number of each trace by evaluator `e`: its own latest score, else the latest of its spans. */
function scoresOf(scores: ReadonlyArray<StoredScore & Versioned>): (traceId: string) => number | null {
  const kept = standing(scores, (row) => `${row.trace_id} ${row.score_id}`).filter(
    (row) => row.start_ns >= nowNs - 365n * dayNs && row.evaluator === 'e',
  );
  return (traceId) => {
    const all = kept.filter((row) => row.trace_id === traceId);
    const own = all.filter((row) => row.span_id === '');
    const latest = (own.length > 0 ? own : all).toSorted(
      (left, right) => Number(left.start_ns - right.start_ns) || (left.score_id < right.score_id ? -1 : 1),
    );
    return latest.at(-1)?.score ?? null;
  };
}

/** The traces that match the filters of scores and spans. */
function byMembers(
  scores: ReadonlyArray<StoredScore & Versioned>,
  spans: ReadonlyArray<StoredSpan & Versioned>,
  query: Question,
) {
  const oldestNs = nowNs - 365n * dayNs;
  const kept = standing(scores, (row) => `${row.trace_id} ${row.score_id}`).filter((row) => row.start_ns >= oldestNs);
  const keptSpans = standing(spans, (row) => `${row.trace_id} ${row.span_id}`).filter((row) => row.start_ns >= oldestNs);
  const { evaluator, minScore, maxScore, passed, unscoredBy, promptName, promptVersion } = query;
  const asksScore = [evaluator, minScore, maxScore, passed].some((value) => value !== undefined);
  const asksPrompt = promptName !== undefined || promptVersion !== undefined;
  return (traceId: string): boolean =>
    (!asksScore ||
      kept.some(
        (row) =>
          row.trace_id === traceId &&
          (evaluator ?? row.evaluator) === row.evaluator &&
          row.score >= (minScore ?? -Infinity) &&
          row.score <= (maxScore ?? Infinity) &&
          (passed === undefined || row.passed === (passed === 'true' ? 1 : 0)),
      )) &&
    !kept.some((row) => row.trace_id === traceId && row.evaluator === unscoredBy) &&
    (!asksPrompt ||
      keptSpans.some(
        (row) =>
          row.trace_id === traceId &&
          (promptName ?? row.prompt_name) === row.prompt_name &&
          (promptVersion ?? row.prompt_version) === row.prompt_version,
      ));
}

function expected(
  rows: readonly (Model & Versioned)[],
  query: Question,
  scoreOf: (traceId: string) => number | null = () => null,
): string[] {
  const kept = standing(rows, (row) => `${row.start_ns} ${row.trace_id}`).filter(
    (row) =>
      (query.model === undefined || row.models.some((model) => query.model?.includes(model))) &&
      (query.tag === undefined || row.tags.some((tag) => query.tag?.includes(tag))) &&
      (query.status === undefined || (row.error === 1) === (query.status === 'error')) &&
      (query.minLatency === undefined || (row.duration_ms !== null && row.duration_ms >= query.minLatency)) &&
      (query.minCost === undefined || row.cost >= query.minCost),
  );
  const descending = query.sort.startsWith('-');
  const field = query.sort.replace('-', '');
  const value = (row: Model): number => {
    if (field === 'cost') return row.cost;
    if (field === 'score.e') return scoreOf(row.trace_id) ?? (descending ? -1e300 : 1e300);
    if (field === 'startTime') return Number(row.start_ns - nowNs);
    return row.duration_ms ?? (descending ? -1 : Infinity);
  };
  const compare = (left: Model, right: Model) =>
    value(left) - value(right) || Buffer.compare(Buffer.from(left.trace_id), Buffer.from(right.trace_id));
  return kept.toSorted((left, right) => (descending ? compare(right, left) : compare(left, right))).map((row) => row.trace_id);
}

test(
  'all pages put together are the filtered, sorted list, whatever the filters, the limit and the order',
  { timeout: 120_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(storedTrace, { maxLength: 30 }),
        question,
        fc.record({ first: fc.integer({ min: 1, max: 5 }), growth: fc.integer({ min: 1, max: 3 }) }),
        async (rows, query, steps) => {
          const tenant = newTenant();
          // The table has two rows of one trace at different times only while the trace moves from one to the other.
          const distinct = rows.filter(
            ({ trace_id, start_ns }) => rows.find((row) => row.trace_id === trace_id)?.start_ns === start_ns,
          );
          await storeTraces(clickhouse, tenant.projectId, distinct);
          const pages = await allPages(tenant, query, steps);
          expect(pages.flat()).toEqual(expected(distinct, query));
          for (const page of pages.slice(0, -1)) expect(page).toHaveLength(query.limit);
        },
      ),
      { numRuns: runs({ usual: 12, nightly: 40 }) },
    );
  },
);

test(
  'filters by scores and prompts leave the traces that have such a score, and such a span, as they stand now',
  { timeout: 240_000 },
  async () => {
    let found = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(storedTrace, { minLength: 20, maxLength: 40 }),
        fc.array(storedScore, { minLength: 40, maxLength: 60 }).map(numbered),
        fc.array(storedSpan, { minLength: 40, maxLength: 60 }).map(numbered),
        memberQuestion,
        // No member is rare, some are, or all.
        fc.record({ first: fc.integer({ min: 1, max: 5 }), growth: fc.constant(2), rare: fc.constantFrom(-1, 3, 100) }),
        async (rows, scores, spans, query, steps) => {
          const tenant = newTenant();
          const distinct = rows
            .filter(({ trace_id, start_ns }) => rows.find((row) => row.trace_id === trace_id)?.start_ns === start_ns)
            .map((row) => ({ ...row, session_id: 's' }));
          await storeTraces(clickhouse, tenant.projectId, distinct);
          await storeRows(clickhouse, 'scores', tenant.projectId, scores);
          await storeRows(clickhouse, 'spans', tenant.projectId, spans);
          const matches = byMembers(scores, spans, query);
          const wanted = expected(distinct, query, scoresOf(scores)).filter(matches);
          expect((await allPages(tenant, query, steps)).flat()).toEqual(wanted);
          found += wanted.length;
        },
      ),
      { numRuns: runs({ usual: 30, nightly: 50 }), endOnFailure: true },
    );
    // Otherwise the filters could agree with the oracle by matching nothing.
    expect(found).toBeGreaterThan(20);
  },
);

test('returns every trace exactly once while newer ones arrive', async () => {
  const tenant = newTenant();
  const before = Array.from({ length: 10 }, (_, index) => ({ trace_id: `t${index}`, start_ns: nowNs - BigInt(index >> 1) }));
  await storeTraces(clickhouse, tenant.projectId, before);
  const arriving = (page: number) =>
    storeTraces(clickhouse, tenant.projectId, [{ trace_id: `new${page}`, start_ns: nowNs + BigInt(page) }]);
  const pages = await allPages(tenant, { limit: 3, sort: '-startTime' }, undefined, arriving);
  expect(pages.flat()).toEqual(['t1', 't0', 't3', 't2', 't5', 't4', 't7', 't6', 't9', 't8']);
});

test('a search that reaches its time limit returns its matches so far, and a cursor to continue', async () => {
  const tenant = newTenant();
  const traces = Array.from({ length: 12 }, (_, index) => ({ trace_id: `t${String(index).padStart(2, '0')}`, start_ns: nowNs }));
  await storeTraces(clickhouse, tenant.projectId, traces);
  const spans = traces.map((trace, index) => ({ ...trace, span_id: 's', input: index % 4 === 0 ? 'needle' : 'hay' }));
  await storeRows(clickhouse, 'spans', tenant.projectId, spans);
  let now = nowMs;
  const slow: TracesContext = { ...context, clock: { now: () => (now += 7_000) } };
  const pages: string[][] = [];
  let cursor: string | undefined;
  do {
    const query = { ...listTracesQuery.parse({}), q: 'NEEDLE', cursor };
    const { traces: found, nextCursor } = await listTraces(slow, tenant, query, { first: 3, growth: 2 });
    pages.push(found.map((trace) => trace.traceId));
    cursor = nextCursor ?? undefined;
  } while (cursor !== undefined);
  expect(pages.flat()).toEqual(['t08', 't04', 't00']);
  expect(pages.length).toBeGreaterThan(1);
});
