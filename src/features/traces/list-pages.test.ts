import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestClickHouse } from '../../../test/support/analytics.ts';
import { listTracesQuery, traceSorts } from '../../contract/traces.ts';
import type { ListTracesQuery } from '../../contract/traces.ts';
import { ManualClock } from '../../platform/clock/clock.ts';
import type { ClickHouse } from '../../platform/clickhouse/index.ts';
import type { Tenant } from '../../platform/http/index.ts';
import { listTraces } from './list-traces.ts';
import type { WalkSteps } from './list-traces.ts';
import { storeTraces } from './stored-traces.fixture.ts';
import type { StoredTrace } from './stored-traces.fixture.ts';
import type { TracesContext } from './traces-context.ts';

const nowMs = Date.UTC(2026, 10, 20, 10);
const nowNs = BigInt(nowMs) * 1_000_000n;

let clickhouse: ClickHouse;
let close: () => Promise<void>;
let context: TracesContext;
let projects = 0;

beforeAll(async () => {
  ({ clickhouse, close } = await openTestClickHouse());
  context = { clickhouse, clock: new ManualClock(nowMs), pipeline: { deleteTrace: () => Promise.resolve(false) } };
});
afterAll(() => close());

function newTenant(): Tenant {
  return {
    projectId: `0197c000-0000-7000-8000-${String(++projects).padStart(12, '0')}`,
    organizationId: '0197c000-0000-7000-8000-0000000000aa',
    plan: 'scale',
  };
}

/** All pages put together; `between` runs after each page. */
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
const storedTrace = fc.record({
  trace_id: fc.constantFrom('a', 'B', 'c', 'é', 'z z', "q'", '\\', 'aa', 'ab', 'ac', 'ad', 'ae'),
  start_ns: fc.constantFrom(0n, 1n, 2n, 1_000_000n, 3_600_000_000_000n, 86_400_000_000_000n).map((back) => nowNs - back),
  version: fc.integer({ min: 1, max: 3 }),
  is_deleted: fc.constantFrom(0 as const, 0 as const, 0 as const, 1 as const),
  duration_ms: fc.constantFrom(null, 0, 0.1, 12.345678, 1e6),
  cost: fc.constantFrom(0, 0.1 + 0.2, 1e-7, 3),
  error: fc.constantFrom(0 as const, 1 as const),
  models: fc.subarray(['m', 'n']),
  tags: fc.subarray(['t', 'u']),
});

const question = fc.record(
  {
    sort: fc.constantFrom(...traceSorts),
    limit: fc.integer({ min: 1, max: 7 }),
    model: fc.constant('m'),
    tag: fc.constant('u'),
    status: fc.constantFrom('ok' as const, 'error' as const),
    minLatency: fc.constantFrom(0, 0.1, 100),
    minCost: fc.constantFrom(0.3, 1),
    range: fc.constantFrom('7d' as const, '30d' as const),
  },
  { requiredKeys: ['sort', 'limit'] },
);

interface Model extends Required<Pick<StoredTrace, 'trace_id' | 'start_ns' | 'cost' | 'error' | 'models' | 'tags'>> {
  duration_ms: number | null;
}

type Question = Partial<ListTracesQuery> & { sort: ListTracesQuery['sort'] };

function expected(rows: readonly (Model & { version: number; is_deleted: 0 | 1 })[], query: Question): string[] {
  const latest = new Map<string, (typeof rows)[number]>();
  for (const row of rows) {
    const key = `${row.start_ns} ${row.trace_id}`;
    const other = latest.get(key);
    if (!other || row.version >= other.version) latest.set(key, row);
  }
  const kept = [...latest.values()].filter(
    (row) =>
      row.is_deleted === 0 &&
      (query.model === undefined || row.models.includes(query.model)) &&
      (query.tag === undefined || row.tags.includes(query.tag)) &&
      (query.status === undefined || (row.error === 1) === (query.status === 'error')) &&
      (query.minLatency === undefined || (row.duration_ms !== null && row.duration_ms >= query.minLatency)) &&
      (query.minCost === undefined || row.cost >= query.minCost),
  );
  const descending = query.sort.startsWith('-');
  const field = query.sort.replace('-', '');
  const value = (row: Model): number => {
    if (field === 'cost') return row.cost;
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
          // Two rows of one trace at different times only ever stand in the table while it moves from one to the other.
          const distinct = rows.filter(
            ({ trace_id, start_ns }) => rows.find((row) => row.trace_id === trace_id)?.start_ns === start_ns,
          );
          await storeTraces(clickhouse, tenant.projectId, distinct);
          const pages = await allPages(tenant, query, steps);
          expect(pages.flat()).toEqual(expected(distinct, query));
          for (const page of pages.slice(0, -1)) expect(page).toHaveLength(query.limit);
        },
      ),
      { numRuns: 60 },
    );
  },
);

test('gives neither a trace twice nor leaves one out while newer ones arrive', async () => {
  const tenant = newTenant();
  const before = Array.from({ length: 10 }, (_, index) => ({ trace_id: `t${index}`, start_ns: nowNs - BigInt(index >> 1) }));
  await storeTraces(clickhouse, tenant.projectId, before);
  const arriving = (page: number) =>
    storeTraces(clickhouse, tenant.projectId, [{ trace_id: `new${page}`, start_ns: nowNs + BigInt(page) }]);
  const pages = await allPages(tenant, { limit: 3, sort: '-startTime' }, undefined, arriving);
  expect(pages.flat()).toEqual(['t1', 't0', 't3', 't2', 't5', 't4', 't7', 't6', 't9', 't8']);
});

test('a search that walks for too long gives what it has, and a cursor that goes on', async () => {
  const tenant = newTenant();
  const traces = Array.from({ length: 12 }, (_, index) => ({ trace_id: `t${String(index).padStart(2, '0')}`, start_ns: nowNs }));
  await storeTraces(clickhouse, tenant.projectId, traces);
  const spans = traces.map(({ trace_id }, index) =>
    JSON.stringify({
      project_id: tenant.projectId,
      trace_id,
      span_id: 's',
      version: 1,
      start_time: '2026-11-20 10:00:00.000000000',
      input: index % 4 === 0 ? 'needle' : 'hay',
    }),
  );
  await clickhouse.command(`INSERT INTO spans FORMAT JSONEachRow ${spans.join('\n')}`);
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
