import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestClickHouse } from '../../../test/support/analytics.ts';
import { listTracesQuery } from '../../contract/traces.ts';
import type { ListTracesQuery } from '../../contract/traces.ts';
import { ManualClock } from '../../platform/clock/clock.ts';
import type { ClickHouse, QueryParameters, TenantReader } from '../../platform/clickhouse/index.ts';
import { tenantSettings } from '../../platform/clickhouse/tenant-settings.ts';
import type { Tenant } from '../../platform/http/index.ts';
import { traceTables } from '../trace-store/index.ts';
import { listTraces } from './list-traces.ts';
import type { TracesContext } from './traces-context.ts';
import { SpanMapper } from './span-mapper.ts';
import { outcomesOfTrace, ownPrices, unsearched } from './traces-service.fixture.ts';
import { noViews } from '../views/no-views.fixture.ts';

const nowMs = Date.UTC(2026, 10, 20, 10);
const traces = 1_000_000;
const tenant = {
  projectId: '0197e000-0000-7000-8000-000000000001',
  organizationId: '0197e000-0000-7000-8000-000000000002',
  plan: 'scale' as const,
};

let clickhouse: ClickHouse;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ clickhouse, close } = await openTestClickHouse());
  // One trace every 2.5 seconds over 29 days, in two overlapping parts; trace 0 is the newest.
  for (const half of [0, 1]) {
    await clickhouse.command(
      `INSERT INTO traces (project_id, start_time, trace_id, version, name, duration_ms, session_id, error, error_code, cost)
       SELECT {project:UUID}, fromUnixTimestamp64Milli({now:Int64} - n * 2500), leftPad(toString(n), 7, '0'), 1, 'trace', n % 1000,
         concat('session', toString(intDiv(n, 5))), n % 50000 = 0, if(n % 50000 = 0, '500', ''), n % 7
       FROM (SELECT ${traces} - number * 2 - ${2 - half} AS n FROM numbers(${traces / 2}))
       SETTINGS insert_deduplicate = 0, optimize_on_insert = 0`,
      { project: tenant.projectId, now: nowMs },
    );
  }
  // Each has a score; one in 100,000 has not passed.
  await clickhouse.command(
    `INSERT INTO scores (project_id, start_time, trace_id, score_id, version, evaluator, score, passed)
     SELECT {project:UUID}, fromUnixTimestamp64Milli({now:Int64} - number * 2500), leftPad(toString(number), 7, '0'), 's', 1, 'exact',
       number % 4 / 4, number % 100000 != 77777
     FROM numbers(${traces})`,
    { project: tenant.projectId, now: nowMs },
  );
}, 120_000);
afterAll(() => close());

/** Keeps the plan of every query, with the granules that it selects; `edgePlans` has those that look for partly expired traces. */
function planning(plans: string[], edgePlans: string[]): TracesContext {
  const forTenant: ClickHouse['forTenant'] = (scope) => {
    const reader = clickhouse.forTenant(scope);
    const query = async <T>(sql: string, parameters?: QueryParameters): Promise<T[]> => {
      const explained = `EXPLAIN indexes = 1, actions = 1 ${sql}\n${tenantSettings(traceTables, scope)}`;
      const plan = await clickhouse.systemQuery<{ explain: string }>(explained, parameters);
      (scope.partlyExpired ? edgePlans : plans).push(plan.map((line) => line.explain).join('\n'));
      return reader.query<T>(sql, parameters);
    };
    return { ...reader, query } satisfies TenantReader;
  };
  return {
    clickhouse: Object.create(clickhouse, { forTenant: { value: forTenant } }) as ClickHouse,
    clock: new ManualClock(nowMs),
    pipeline: { deleteTrace: () => Promise.resolve(false) },
    outcomesOfTrace,
    ownPrices,
    mapper: new SpanMapper(),
    views: noViews,
    search: unsearched,
  };
}

interface PageRead {
  ids: string[];
  cursor: string | undefined;
  plans: string[];
}

/** @param expiredGranules granules read to find partly expired traces */
async function readPage(query: Partial<ListTracesQuery>, of: Tenant = tenant, expiredGranules = 0): Promise<PageRead> {
  const plans: string[] = [];
  const edgePlans: string[] = [];
  const context = planning(plans, edgePlans);
  const { traces: found, nextCursor } = await listTraces(context, of, { ...listTracesQuery.parse({}), ...query });
  // None is partly expired: one query finds that out by an index.
  expect(edgePlans.map(granulesOf)).toEqual([expiredGranules]);
  return { ids: found.map((trace) => trace.traceId), cursor: nextCursor ?? undefined, plans };
}

const name = (trace: number) => String(trace).padStart(7, '0');
const pageFrom = (first: number) => Array.from({ length: 50 }, (_, index) => name(first + index));

/** A page takes two queries: one reads backwards in the table's order and stops early, the other reads these granules. */
function expectCheap({ plans }: PageRead): void {
  expect(plans).toHaveLength(2);
  expect(plans[0]).toContain('Read type: InReverseOrder');
  // Of about 124: a page is within one granule of each part, or across two.
  expect(granulesOf(plans[1])).toBeLessThanOrEqual(6);
}

/** The number of granules of table `traces` that a query reads. */
function granulesOf(plan: string | undefined): number {
  return Number(/Parts: \d+ \| Granules: (\d+)/.exec(plan ?? '')?.[1]);
}

test('the first page and a deep one are read without the rest of the table', { timeout: 60_000 }, async () => {
  const first = await readPage({});
  expect(first.ids).toEqual(pageFrom(0));
  expectCheap(first);
  const second = await readPage({ cursor: first.cursor });
  expect(second.ids).toEqual(pageFrom(50));
  expectCheap(second);

  const middle = new Date(nowMs - 500_000 * 2500).toISOString();
  const deep = await readPage({ to: middle });
  expect(deep.ids).toEqual(pageFrom(500_000));
  const deeper = await readPage({ to: middle, cursor: deep.cursor });
  expect(deeper.ids).toEqual(pageFrom(500_050));
  expectCheap(deeper);
});

test('expired traces that are still stored are not read', { timeout: 60_000 }, async () => {
  const page = await readPage({}, { ...tenant, plan: 'free' }, 2);
  expect(page.ids).toEqual(pageFrom(0));
  expectCheap(page);
});

test('a rare trace is found at any position', { timeout: 60_000 }, async () => {
  const errors = await readPage({ status: 'error' });
  expect(errors.ids).toEqual(Array.from({ length: 20 }, (_, index) => name(index * 50_000)));
  const session = await readPage({ session: ['session177777'] });
  expect(session.ids).toEqual([888_885, 888_886, 888_887, 888_888, 888_889].map(name));
  const costly = await readPage({ sort: '-cost', minLatency: 999 });
  expect(costly.ids).toHaveLength(50);
});

test(
  'a page of traces by a score that many have is walked down to, and one by a rare score is read by its ids',
  {
    timeout: 60_000,
  },
  async () => {
    const frequent = await readPage({ evaluator: 'exact', minScore: 0.75 });
    expect(frequent.ids).toEqual(Array.from({ length: 50 }, (_, index) => name(index * 4 + 3)));
    const [counted, ...page] = frequent.plans;
    expect(counted).toContain('Limit');
    expectCheap({ ...frequent, plans: page });
    const further = await readPage({ evaluator: 'exact', minScore: 0.75, cursor: frequent.cursor });
    expect(further.ids).toEqual(Array.from({ length: 50 }, (_, index) => name(index * 4 + 203)));

    const rare = await readPage({ passed: 'false' });
    expect(rare.ids).toEqual(Array.from({ length: 10 }, (_, index) => name(index * 100_000 + 77_777)));
    expect(rare.plans).toHaveLength(2);
    // One granule for each trace and part, and false positives of the index.
    expect(granulesOf(rare.plans[1])).toBeLessThanOrEqual(24);
    const none = await readPage({ evaluator: 'nobody', sort: '-cost' });
    expect(none.ids).toEqual([]);
    expect(granulesOf(none.plans[1])).toBe(0);

    const unscored = await readPage({ unscoredBy: 'nobody' });
    expect(unscored.ids).toEqual(pageFrom(0));
    expectCheap(unscored);
    expect((await readPage({ unscoredBy: 'exact' })).ids).toEqual([]);
  },
);
