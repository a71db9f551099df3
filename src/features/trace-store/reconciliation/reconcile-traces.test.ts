import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openTestClickHouse } from '../../../../test/support/analytics.ts';
import { MemoryLog } from '../../../../test/support/memory-log.ts';
import { runs } from '../../../../test/support/runs.ts';
import { spanKinds } from '../../../contract/kinds.ts';
import type { ClickHouse } from '../../../platform/clickhouse/index.ts';
import { ManualClock } from '../../../platform/clock/clock.ts';
import { migratePostgres } from '../../../platform/postgres/index.ts';
import type { Postgres } from '../../../platform/postgres/index.ts';
import { backends } from '../../../platform/postgres/postgres-backends.fixture.ts';
import type { TestDatabase } from '../../../platform/postgres/postgres-backends.fixture.ts';
import type { ScoreRecord, SpanRecord } from '../../records/index.ts';
import { emptySpan } from '../../records/records.fixture.ts';
import { LocalBatchBuilder } from '../batches/batch-builder.ts';
import { noUsage as usage } from '../log/no-usage.fixture.ts';
import type { TouchedHour } from '../pipeline-port.ts';
import { Pipeline } from '../pipeline/pipeline.ts';
import { reconcileTraces } from './reconcile-traces.ts';
import { TraceNotes } from './trace-notes.ts';

const startMs = Date.UTC(2026, 10, 20, 10);
const organizationId = '0197a000-0000-7000-8000-00000000000a';
const [backend] = backends;

let clickhouse: ClickHouse;
let closeClickHouse: () => Promise<void>;
let database: TestDatabase | undefined;
let postgres: Postgres;
let clock: ManualClock;
let projects = 0;

beforeAll(async () => {
  const opened = await openTestClickHouse();
  closeClickHouse = opened.close;
  clickhouse = shared(opened.clickhouse);
  database = await backend?.create({ migrated: true });
  if (!database) throw new Error('there is no PostgreSQL');
  postgres = await database.open();
  await migratePostgres(postgres, join(import.meta.dirname, '../../../../migrations/postgres'));
});
afterAll(async () => {
  await postgres.close();
  await database?.remove();
  await closeClickHouse();
});
beforeEach(() => {
  clock = new ManualClock(startMs);
});

/** The engine with the mode of a server, to which other processes write too. */
function shared(engine: ClickHouse): ClickHouse {
  return {
    mode: 'http',
    cluster: null,
    forTenant: (scope) => engine.forTenant(scope),
    insertRows: (rows) => engine.insertRows(rows),
    command: (sql, parameters) => engine.command(sql, parameters),
    systemQuery: (sql, parameters) => engine.systemQuery(sql, parameters),
    ping: () => engine.ping(),
    abandon: () => engine.abandon(),
    close: () => engine.close(),
    reads: engine.reads,
  };
}

/** A barrier: every replica waits until all have arrived, so that none has seen the rows of another. */
class Gate {
  #missing: number;
  readonly #open = Promise.withResolvers<void>();
  readonly #first = Promise.withResolvers<void>();
  constructor(replicas: number) {
    this.#missing = replicas;
  }
  pass(): Promise<void> {
    this.#missing -= 1;
    this.#first.resolve();
    if (this.#missing <= 0) this.#open.resolve();
    return this.#open.promise;
  }
  /** Resolves when a replica waits. */
  reached(): Promise<void> {
    return this.#first.promise;
  }
}

async function replica(gate: { current: Gate | null }): Promise<Pipeline> {
  const builder = new LocalBatchBuilder(clickhouse);
  const id = randomUUID();
  return Pipeline.open({
    clickhouse,
    builder: {
      build: async (...batch) => {
        const built = await builder.build(...batch);
        await gate.current?.pass();
        return built;
      },
      written: () => builder.written(),
      givenUp: () => builder.givenUp(),
      spansOf: (...asked) => builder.spansOf(...asked),
      forget: (...trace) => builder.forget(...trace),
    },
    notes: new TraceNotes(postgres.db, id),
    log: new MemoryLog(),
    logId: id,
    usage,
    clock,
    onUnreadable: (_record, name, reason) => Promise.reject(new Error(`${name}: ${reason}`)),
    onWriteError: (error) => {
      throw error;
    },
    markHours: () => Promise.resolve(),
    batchIntervalMs: 3_600_000,
  });
}

const newProject = () => ({ projectId: `0197a000-0000-7000-8000-${String(++projects).padStart(12, '0')}`, organizationId });
const marked: TouchedHour[] = [];
const reconcile = () =>
  reconcileTraces({
    clickhouse,
    postgres: postgres.db,
    markHours: (hours) => {
      marked.push(...hours);
      return Promise.resolve();
    },
  });

type Events = { spans: SpanRecord[]; scores: ScoreRecord[] };

/** Each replica writes its part without having seen the parts of the others. */
async function writeAtOnce(tenant: { projectId: string; organizationId: string }, parts: readonly Events[]): Promise<void> {
  const gate = { current: new Gate(parts.length) };
  const replicas = await Promise.all(parts.map(() => replica(gate)));
  for (const [place, part] of parts.entries()) await replicas[place]?.accept(tenant, part, 0);
  await Promise.all(replicas.map((pipeline) => pipeline.drain()));
  for (const pipeline of replicas) await pipeline.close();
}

/** The derived rows of a project, without versions. */
async function derived(projectId: string) {
  const reader = clickhouse.forTenant({ projectId, oldestMs: null });
  return {
    calls: await reader.query('SELECT * EXCEPT (project_id, version) FROM calls FINAL ORDER BY trace_id, hour, span_id'),
    nodeCalls: await reader.query('SELECT * EXCEPT (project_id, version) FROM node_calls FINAL ORDER BY trace_id, hour, call_id'),
    agents: await reader.query('SELECT * EXCEPT (project_id, version) FROM span_agents FINAL ORDER BY trace_id, span_id'),
    quality: await reader.query('SELECT * EXCEPT (project_id, version) FROM quality FINAL ORDER BY score_id, hour'),
    traces: await reader.query('SELECT * EXCEPT (project_id, version) FROM traces FINAL ORDER BY trace_id, start_time'),
  };
}

function span(overrides: Partial<SpanRecord>): SpanRecord {
  return { ...emptySpan, startNs: BigInt(startMs) * 1_000_000n, source: 'otlp', ...overrides };
}

const agent = span({ spanId: 'agent', kind: 'agent', agentName: 'planner', startNs: BigInt(startMs - 3_600_000) * 1_000_000n });
const outer = span({ spanId: 'outer', parentSpanId: 'agent', kind: 'llm', model: 'm', costUsd: 2, inputTokens: 5 });
const inner = span({ spanId: 'inner', parentSpanId: 'outer', kind: 'llm', model: 'm', costUsd: 2, inputTokens: 5 });

test('spans of one trace that arrive at three replicas at the same time are reconciled', async () => {
  const [together, apart] = [newProject(), newProject()];
  await writeAtOnce(together, [{ spans: [agent, outer, inner], scores: [] }]);
  const expected = await derived(together.projectId);
  await writeAtOnce(apart, [
    { spans: [agent], scores: [] },
    { spans: [outer], scores: [] },
    { spans: [inner], scores: [] },
  ]);
  // Each replica saw only its own span: two calls instead of one, without their agent, and three summaries at two starts.
  expect((await derived(apart.projectId)).calls).toHaveLength(2);
  expect((await derived(apart.projectId)).traces).toHaveLength(2);
  marked.length = 0;
  expect(await reconcile()).toBe(1);
  expect(await derived(apart.projectId)).toEqual(expected);
  expect(expected.calls).toMatchObject([{ span_id: 'inner', agent_name: 'planner' }]);
  expect(marked).toContainEqual({ projectId: apart.projectId, hour: startMs / 1000 });
  // Only that trace was derived again, and no note is left.
  expect(await reconcile()).toBe(0);
});

test('replicas that write a trace one after the other leave nothing to reconcile', async () => {
  const tenant = newProject();
  for (const part of [agent, outer, inner]) await writeAtOnce(tenant, [{ spans: [part], scores: [] }]);
  expect(await reconcile()).toBe(0);
  expect((await derived(tenant.projectId)).calls).toMatchObject([{ span_id: 'inner', agent_name: 'planner' }]);
});

/** Resolves when the database's clock, which may count whole milliseconds, is past every note but those of the time after a deletion. */
async function clockPastNotes(): Promise<void> {
  const isPast = sql<{ past: boolean }>`SELECT clock_timestamp() > max(ended_at) AS past FROM trace_notes
    WHERE ended_at < clock_timestamp() + interval '1 minute'`;
  while (!(await isPast.execute(postgres.db)).rows[0]?.past);
}

test('of two replicas in turn the rows of the last look-up win, in either order of acceptance', async () => {
  const tenant = newProject();
  const [early, late] = [await replica({ current: null }), await replica({ current: null })];
  await early.accept(tenant, { spans: [agent, outer], scores: [] }, 0);
  clock.advance(5);
  await late.accept(tenant, { spans: [inner], scores: [] }, 0);
  await late.drain();
  // Batches of one millisecond count as written at the same time.
  await clockPastNotes();
  await early.drain();
  expect((await derived(tenant.projectId)).calls).toMatchObject([{ span_id: 'inner', agent_name: 'planner' }]);
  expect((await derived(tenant.projectId)).traces).toMatchObject([{ span_count: 3, agents: ['planner'] }]);
  expect(await reconcile()).toBe(0);
  expect(await early.deleteTrace(tenant, 't1')).toBe(true);
  expect(await derived(tenant.projectId)).toEqual({ calls: [], nodeCalls: [], agents: [], quality: [], traces: [] });
  await Promise.all([early.close(), late.close()]);
});

test('a batch that is written while the job runs makes it derive the trace again', async () => {
  const tenant = newProject();
  await writeAtOnce(tenant, [
    { spans: [agent], scores: [] },
    { spans: [outer], scores: [] },
  ]);
  // The batch has looked up the stored rows, and writes after the job.
  const gate = { current: new Gate(2) };
  const late = await replica(gate);
  await late.accept(tenant, { spans: [inner], scores: [] }, 0);
  const writing = late.drain();
  await gate.current.reached();
  expect(await reconcile()).toBe(1);
  await gate.current.pass();
  await writing;
  await late.close();
  clock.advance(1_000);
  expect(await reconcile()).toBe(1);
  expect((await derived(tenant.projectId)).calls).toMatchObject([{ span_id: 'inner', agent_name: 'planner' }]);
  expect(await reconcile()).toBe(0);
});

test('a batch that is repeated after a crash overlaps every batch written since', async () => {
  const notes = new TraceNotes(postgres.db, randomUUID());
  const other = new TraceNotes(postgres.db, randomUUID());
  const { projectId } = newProject();
  await other.add([{ projectId, traceIds: ['t'] }], (await other.begin()).beganAt);
  await clockPastNotes();
  await notes.add([{ projectId, traceIds: ['t', 'u'] }], (await notes.begin()).beganAt);
  expect((await notes.overlaps()).traces).toEqual([]);
  await notes.add([{ projectId, traceIds: ['t', 'u'] }], (await notes.begin(false)).beganAt);
  const { noteIds, traces } = await notes.overlaps();
  expect(traces).toEqual([{ projectId, traceIds: ['t'] }]);
  await notes.markProcessed(noteIds);
  expect((await notes.overlaps()).noteIds).toEqual([]);
});

describe('a trace that one replica deletes', () => {
  const again = (spanId: string) => ({ spans: [{ ...outer, spanId, parentSpanId: '' }], scores: [] });
  const none = { calls: [], nodeCalls: [], agents: [], quality: [], traces: [] };

  test('while another has built a batch with a newer version of its span leaves no rows without a span', async () => {
    const tenant = newProject();
    const gate = { current: null as Gate | null };
    const [deleting, writing] = [await replica({ current: null }), await replica(gate)];
    await deleting.accept(tenant, again('s'), 0);
    await deleting.drain();
    await writing.accept(tenant, again('s'), 0);
    gate.current = new Gate(2);
    const written = writing.drain();
    await gate.current.reached();
    clock.advance(5);
    expect(await deleting.deleteTrace(tenant, 't1')).toBe(true);
    await gate.current.pass();
    await written;
    await reconcile();
    expect(await derived(tenant.projectId)).toEqual(none);
    expect(await reconcile()).toBe(0);
    await Promise.all([deleting.close(), writing.close()]);
  });

  test('before another builds a batch that it accepted earlier leaves no rows without a span', async () => {
    const tenant = newProject();
    const [deleting, writing] = [await replica({ current: null }), await replica({ current: null })];
    await deleting.accept(tenant, again('s'), 0);
    await deleting.drain();
    await writing.accept(tenant, again('s'), 0);
    clock.advance(5);
    expect(await deleting.deleteTrace(tenant, 't1')).toBe(true);
    await reconcile();
    await writing.drain();
    await reconcile();
    expect(await derived(tenant.projectId)).toEqual(none);
    expect(await reconcile()).toBe(0);
    await Promise.all([deleting.close(), writing.close()]);
  });

  test('while another writes a further span of it keeps that span, listed and counted alone', async () => {
    const [tenant, alone] = [newProject(), newProject()];
    const gate = { current: null as Gate | null };
    const [deleting, writing] = [await replica({ current: null }), await replica(gate)];
    await deleting.accept(tenant, { spans: [agent, inner], scores: [] }, 0);
    await deleting.drain();
    await writing.accept(tenant, { spans: [outer], scores: [] }, 0);
    gate.current = new Gate(2);
    const written = writing.drain();
    await gate.current.reached();
    clock.advance(5);
    expect(await deleting.deleteTrace(tenant, 't1')).toBe(true);
    await gate.current.pass();
    await written;
    await reconcile();
    await writeAtOnce(alone, [{ spans: [outer], scores: [] }]);
    expect((await derived(alone.projectId)).calls).toHaveLength(1);
    expect(await derived(tenant.projectId)).toEqual(await derived(alone.projectId));
    await Promise.all([deleting.close(), writing.close()]);
  });
});

describe('against one replica that gets everything', () => {
  const anySpan = fc.record({
    spanId: fc.constantFrom('a', 'b', 'c', 'd'),
    parentSpanId: fc.constantFrom('', 'a', 'b', 'c'),
    kind: fc.constantFrom(...spanKinds),
    model: fc.constantFrom('', 'm1', 'm2'),
    agentName: fc.constantFrom('', 'planner'),
    source: fc.constantFrom('native' as const, 'otlp' as const),
    traceId: fc.constantFrom('t1', 't2'),
    inputTokens: fc.constantFrom(null, 3),
    hour: fc.nat(2),
  });
  // Each span once: the order of arrival of two versions sent at the same time is not defined.
  const anySpans = fc.uniqueArray(anySpan, { maxLength: 8, selector: ({ traceId, spanId }) => `${traceId} ${spanId}` });

  test('any distribution of spans over replicas derives the same rows', { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(anySpans, fc.infiniteStream(fc.nat(2)), async (spans, places) => {
        const records = spans.map(({ hour, ...rest }) =>
          span({ ...rest, startNs: BigInt(startMs + hour * 3_600_000) * 1_000_000n }),
        );
        const [together, apart] = [newProject(), newProject()];
        await writeAtOnce(together, [{ spans: records, scores: [] }]);
        const parts: Events[] = [0, 1, 2].map(() => ({ spans: [], scores: [] }));
        for (const record of records) parts[places.next().value ?? 0]?.spans.push(record);
        await writeAtOnce(
          apart,
          parts.filter((part) => part.spans.length > 0),
        );
        clock.advance(1_000);
        await reconcile();
        expect(await derived(apart.projectId)).toEqual(await derived(together.projectId));
      }),
      { numRuns: runs({ usual: 5, nightly: 15 }) },
    );
  });
});
