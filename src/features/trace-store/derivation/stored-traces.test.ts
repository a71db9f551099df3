import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestClickHouse } from '../../../../test/support/analytics.ts';
import { MemoryLog } from '../../../../test/support/memory-log.ts';
import type { ClickHouse } from '../../../platform/clickhouse/index.ts';
import { ManualClock } from '../../../platform/clock/clock.ts';
import type { IngestBatch, ScoreRecord } from '../../records/index.ts';
import { emptyScore, emptySpan } from '../../records/records.fixture.ts';
import { BatchBuilderThread } from '../batches/batch-builder-thread.ts';
import { LocalBatchBuilder } from '../batches/batch-builder.ts';
import type { BatchBuilder } from '../batches/batch-builder.ts';
import { noUsage as usage } from '../log/no-usage.fixture.ts';
import type { OtlpRequest } from '../pipeline-port.ts';
import { Pipeline } from '../pipeline/pipeline.ts';

const startMs = Date.UTC(2026, 10, 20, 10);
const organizationId = '0197a000-0000-7000-8000-00000000000a';

let clickhouse: ClickHouse;
let close: () => Promise<void>;
let projects = 0;
/** What was looked up: the tables whose rows were read, and `ids` where stored ids were. */
let lookUps: string[] = [];
const counted: Pick<ClickHouse, 'mode' | 'forTenant' | 'systemQuery'> = {
  mode: 'embedded',
  forTenant: (scope) => {
    const reader = clickhouse.forTenant(scope);
    return {
      ...reader,
      query: (sql, parameters) => {
        lookUps.push(sql.includes('UNION ALL') ? 'ids' : (/FROM (\w+)/.exec(sql)?.[1] ?? ''));
        return reader.query(sql, parameters);
      },
    };
  },
  systemQuery: (sql, parameters) => clickhouse.systemQuery(sql, parameters),
};

beforeAll(async () => {
  ({ clickhouse, close } = await openTestClickHouse());
});
afterAll(() => close());

/** Runs a pipeline as one process would; `load` decides whether its builder loads the stored ids. */
async function live(builder: BatchBuilder, projectId: string, log = new MemoryLog(), closePatienceMs = 5_000) {
  const setAside: Array<{ name: string; reason: string; record: Uint8Array }> = [];
  const pipeline = await Pipeline.open({
    clickhouse,
    builder,
    log,
    logId: `${projectId}-${++projects}`,
    usage,
    clock: new ManualClock(startMs + projects * 1000),
    onWriteError: (error) => {
      throw error;
    },
    onUnreadable: (record, name, reason) => {
      setAside.push({ record, name, reason });
      return Promise.resolve();
    },
    markHours: () => Promise.resolve(),
    batchIntervalMs: 3_600_000,
    closePatienceMs,
  });
  const send = async (batch: Partial<IngestBatch>) => {
    lookUps = [];
    await pipeline.accept({ projectId, organizationId }, { spans: [], scores: [], ...batch }, 1);
    await pipeline.drain();
  };
  return { pipeline, send, setAside };
}

async function loaded(): Promise<LocalBatchBuilder> {
  const builder = new LocalBatchBuilder(counted);
  await builder.load();
  return builder;
}

const projectIdOf = () => `0197a000-0000-7000-8000-${String(++projects).padStart(12, '0')}`;
const span = (traceId: string, spanId: string, model: string) => ({
  ...emptySpan,
  traceId,
  spanId,
  model,
  kind: 'llm' as const,
  startNs: BigInt(startMs) * 1_000_000n,
});
const score = (scoreId: string, traceId: string): ScoreRecord => ({ ...emptyScore, scoreId, traceId, timestampMs: startMs });

async function callsOf(projectId: string): Promise<unknown[]> {
  return clickhouse
    .forTenant({ projectId, oldestMs: null })
    .query('SELECT trace_id AS trace, span_id AS span, model FROM calls FINAL ORDER BY trace, span');
}

test('new traces are not looked up, and neither are those written a moment ago', async () => {
  const projectId = projectIdOf();
  const { send } = await live(await loaded(), projectId);
  await send({ spans: [span('t1', 'a', 'm1')], scores: [score('s1', 't1')] });
  expect(lookUps).toEqual([]);
  await send({ spans: [span('t1', 'b', 'm1'), span('t1', 'a', 'm2')] });
  expect(lookUps).toEqual([]);
  expect(await callsOf(projectId)).toEqual([
    { trace: 't1', span: 'a', model: 'm2' },
    { trace: 't1', span: 'b', model: 'm1' },
  ]);
});

test('a later process looks up spans, and scores that have moved, that an earlier one stored', async () => {
  const projectId = projectIdOf();
  const first = await live(await loaded(), projectId);
  await first.send({ spans: [span('t1', 'a', 'm1'), span('t2', 'a', 'm1')], scores: [score('s1', 't1'), score('s2', 'none')] });
  const second = await live(await loaded(), projectId);
  await second.send({ spans: [span('t1', 'a', 'm2')] });
  expect(lookUps.toSorted()).toEqual(['ids', 'scores', 'spans', 'trace_tags']);
  await second.send({ spans: [span('t3', 'a', 'm3')] });
  expect(lookUps).toEqual([]);
  await second.send({ scores: [score('s1', 't2')] });
  expect(lookUps).toContain('scores');
  await second.send({ spans: [span('none', 'a', 'm4')] });
  expect(lookUps.toSorted()).toEqual(['ids', 'scores', 'spans', 'trace_tags']);
  expect(await callsOf(projectId)).toEqual([
    { trace: 'none', span: 'a', model: 'm4' },
    { trace: 't1', span: 'a', model: 'm2' },
    { trace: 't2', span: 'a', model: 'm1' },
    { trace: 't3', span: 'a', model: 'm3' },
  ]);
  const quality = await clickhouse
    .forTenant({ projectId, oldestMs: null })
    .query('SELECT score_id AS id, trace_id AS trace, model FROM quality FINAL ORDER BY id');
  expect(quality).toEqual([
    { id: 's1', trace: 't2', model: 'm1' },
    { id: 's2', trace: 'none', model: 'm4' },
  ]);
});

test('a later process knows each of thousands of stored traces and scores', async () => {
  const projectId = projectIdOf();
  const ids = Array.from({ length: 3_000 }, (_, index) => `trace-${index}`);
  const first = await live(await loaded(), projectId);
  await first.send({ spans: ids.map((id) => span(id, 'a', 'm1')), scores: ids.map((id) => score(`score-${id}`, id)) });
  const second = await live(await loaded(), projectId);
  await second.send({
    spans: ids.map((id) => span(id, 'a', 'm2')),
    scores: ids.map((id) => score(`score-${id}`, `other-${id}`)),
  });
  const reader = clickhouse.forTenant({ projectId, oldestMs: null });
  expect(await reader.query('SELECT model, count() AS calls FROM calls FINAL GROUP BY model')).toEqual([
    { model: 'm2', calls: 3_000 },
  ]);
  expect(await reader.query('SELECT count() AS scores FROM quality FINAL')).toEqual([{ scores: 3_000 }]);
});

test('everything is looked up until the stored ids are loaded', async () => {
  const projectId = projectIdOf();
  const { send } = await live(new LocalBatchBuilder(counted), projectId);
  await send({ spans: [span('t1', 'a', 'm1')] });
  // Nothing is stored under the id, so that no row is read.
  expect(lookUps).toEqual(['ids']);
});

test('a deleted trace is looked up again, and has only the spans sent after the deletion', async () => {
  const projectId = projectIdOf();
  const { send, pipeline } = await live(await loaded(), projectId);
  await send({ spans: [span('t1', 'a', 'm1'), span('t1', 'b', 'm1')] });
  expect(await pipeline.deleteTrace({ projectId, organizationId }, 't1')).toBe(true);
  await send({ spans: [span('t1', 'b', 'm2')] });
  expect(lookUps.toSorted()).toEqual(['ids', 'scores', 'spans', 'trace_tags']);
  expect(await callsOf(projectId)).toEqual([{ trace: 't1', span: 'b', model: 'm2' }]);
});

test('spans that arrive while their trace is deleted stay, in every table', async () => {
  const projectId = projectIdOf();
  const { send, pipeline } = await live(await loaded(), projectId);
  await send({ spans: [span('t1', 'a', 'm1')] });
  const deleting = pipeline.deleteTrace({ projectId, organizationId }, 't1');
  await pipeline.accept({ projectId, organizationId }, { spans: [span('t1', 'b', 'm2')], scores: [] }, 1);
  await deleting;
  await pipeline.drain();
  const spans = await clickhouse
    .forTenant({ projectId, oldestMs: null })
    .query<{ id: string }>('SELECT span_id AS id FROM spans FINAL ORDER BY id');
  const summaries = await clickhouse
    .forTenant({ projectId, oldestMs: null })
    .query<{ spans: number }>('SELECT span_count AS spans FROM traces FINAL');
  // It may have arrived early enough to be deleted too.
  const expected = spans.length === 0 ? [] : [{ trace: 't1', span: 'b', model: 'm2' }];
  expect(await callsOf(projectId)).toEqual(expected);
  expect(summaries.map((summary) => summary.spans)).toEqual(expected.map(() => 1));
});

test('a trace of more spans than one look-up returns is deleted completely', async () => {
  const projectId = projectIdOf();
  const { send, pipeline } = await live(await loaded(), projectId);
  const spans = Array.from({ length: 20_500 }, (_, index) => span('t1', `s${index}`, 'm1'));
  for (let at = 0; at < spans.length; at += 5_000) await send({ spans: spans.slice(at, at + 5_000) });
  expect(await pipeline.deleteTrace({ projectId, organizationId }, 't1')).toBe(true);
  expect(await callsOf(projectId)).toEqual([]);
  expect(await pipeline.deleteTrace({ projectId, organizationId }, 't1')).toBe(false);
});

test('a project whose rows cannot be derived does not delay the others', async () => {
  const [projectId, other] = [projectIdOf(), projectIdOf()];
  const source = {
    ...counted,
    forTenant: (scope: Parameters<ClickHouse['forTenant']>[0]) => ({
      ...counted.forTenant(scope),
      query: <T>(sql: string, parameters?: Record<string, unknown>) =>
        scope.projectId === projectId
          ? Promise.reject(new RangeError('out of range'))
          : counted.forTenant(scope).query<T>(sql, parameters),
    }),
  };
  const { pipeline, setAside } = await live(new LocalBatchBuilder(source), projectId);
  await pipeline.accept({ projectId: other, organizationId }, { spans: [span('t1', 'a', 'm1')], scores: [] }, 1);
  await pipeline.accept({ projectId, organizationId }, { spans: [span('t1', 'a', 'm1')], scores: [] }, 1);
  await pipeline.drain();
  expect(setAside.map(({ reason }) => reason)).toEqual(['out of range']);
  expect(await callsOf(other)).toHaveLength(1);
  expect(await callsOf(projectId)).toEqual([]);
  expect(pipeline.pendingEvents(projectId)).toBe(0);
});

test('sums of tokens fit their column for counts of any size', async () => {
  const projectId = projectIdOf();
  const { send } = await live(await loaded(), projectId);
  const inputTokens = Number.MAX_SAFE_INTEGER;
  await send({ spans: Array.from({ length: 3_000 }, (_, index) => ({ ...span('t1', `s${index}`, 'm1'), inputTokens })) });
  const summaries = await clickhouse
    .forTenant({ projectId, oldestMs: null })
    .query('SELECT span_count AS spans, input_tokens AS tokens FROM traces FINAL');
  expect(summaries).toEqual([{ spans: 3_000, tokens: inputTokens }]);
});

test('a record that cannot be read is put aside, and those around it are written', async () => {
  const projectId = projectIdOf();
  const log = new MemoryLog();
  const { pipeline, setAside } = await live(await loaded(), projectId, log);
  await pipeline.accept({ projectId, organizationId }, { spans: [span('t1', 'a', 'm1')], scores: [] }, 1);
  await log.append(Buffer.from([1, 2, 3]));
  await pipeline.acceptOtlp({ projectId, organizationId }, otlp(Buffer.from('no gzip'), 'gzip'), 1);
  await pipeline.accept({ projectId, organizationId }, { spans: [span('t2', 'a', 'm1')], scores: [] }, 1);
  await pipeline.drain();
  expect(setAside.map(({ record }) => Buffer.from(record).subarray(-7).toString('latin1'))).toEqual([
    '\u0001\u0002\u0003',
    'no gzip',
  ]);
  expect(await callsOf(projectId)).toHaveLength(2);
  expect(log.closedSegments()).toEqual([]);
});

test('closing leaves unwritten segments to the next start when its time is over', async () => {
  const projectId = projectIdOf();
  const log = new MemoryLog();
  const { pipeline } = await live(await loaded(), projectId, log, -1);
  await pipeline.accept({ projectId, organizationId }, { spans: [span('t1', 'a', 'm1')], scores: [] }, 1);
  await pipeline.close();
  expect(await callsOf(projectId)).toEqual([]);
  expect(log.closedSegments()).toHaveLength(1);
  const next = await live(await loaded(), projectId, log);
  await next.pipeline.drain();
  expect(await callsOf(projectId)).toHaveLength(1);
  expect(log.closedSegments()).toEqual([]);
});

test('a record of a newer release aborts the start: only that release can read it', async () => {
  const log = new MemoryLog();
  const record = Buffer.alloc(200);
  record[0] = 99;
  await log.append(record);
  await log.rotate();
  await expect(live(await loaded(), projectIdOf(), log)).rejects.toThrow('format 99');
});

test('a builder that replaces another one knows the batches written meanwhile', async () => {
  const projectId = projectIdOf();
  const [first, second] = [await loaded(), await loaded()];
  let builder: BatchBuilder = first;
  const { send } = await live(
    {
      build: async (...parameters) => {
        const built = await builder.build(...parameters);
        builder = second;
        return built;
      },
      written: () => builder.written(),
      givenUp: () => builder.givenUp(),
      spansOf: (...parameters) => builder.spansOf(...parameters),
      forget: (...parameters) => builder.forget(...parameters),
    },
    projectId,
  );
  await send({ spans: [span('t1', 'a', 'm1')] });
  await send({ spans: [{ ...span('t1', 'a', 'm2'), startNs: BigInt(startMs - 7_200_000) * 1_000_000n }] });
  expect(await callsOf(projectId)).toEqual([{ trace: 't1', span: 'a', model: 'm2' }]);
});

test('builds in a worker thread, which is started again when it ends', async () => {
  const projectId = projectIdOf();
  const errors: Error[] = [];
  const builder = new BatchBuilderThread(clickhouse, (error) => errors.push(error));
  const { send } = await live(builder, projectId);
  await send({ spans: [span('t1', 'a', 'm1')] });
  await builder.terminate();
  await send({ spans: [span('t1', 'a', 'm2'), span('t2', 'a', 'm1')] });
  expect(await callsOf(projectId)).toEqual([
    { trace: 't1', span: 'a', model: 'm2' },
    { trace: 't2', span: 'a', model: 'm1' },
  ]);
  await builder.close();
  expect(errors).toEqual([]);
});

test('a thread parses the rows that it looks up, not the thread that serves requests', async () => {
  const projectId = projectIdOf();
  const first = await live(await loaded(), projectId);
  await first.send({ spans: [span('t1', 'a', 'm1')] });
  let lookedUp = 0;
  const unparsed: typeof counted = {
    ...counted,
    forTenant: (scope) => ({
      ...clickhouse.forTenant(scope),
      query: () => Promise.reject(new Error('rows were parsed')),
      queryLines: (sql, parameters) => {
        lookedUp += 1;
        return clickhouse.forTenant(scope).queryLines(sql, parameters);
      },
    }),
  };
  const builder = new BatchBuilderThread(unparsed, () => undefined);
  const { send } = await live(builder, projectId);
  await send({ spans: [{ ...span('t1', 'a', 'm2'), startNs: BigInt(startMs - 7_200_000) * 1_000_000n }] });
  expect(lookedUp).toBeGreaterThan(0);
  expect(await callsOf(projectId)).toEqual([{ trace: 't1', span: 'a', model: 'm2' }]);
  await builder.close();
});

test('a score in an OTLP request is judged by the pass threshold at its arrival', async () => {
  const projectId = projectIdOf();
  const { pipeline } = await live(await loaded(), projectId);
  const attribute = (key: string, value: object) => ({ key, value });
  const result = (name: string, score: number) => ({
    name: 'gen_ai.evaluation.result',
    attributes: [
      attribute('gen_ai.evaluation.name', { stringValue: name }),
      attribute('gen_ai.evaluation.score.value', { doubleValue: score }),
    ],
  });
  const startTimeUnixNano = String(BigInt(startMs) * 1_000_000n);
  const span = {
    traceId: '1'.repeat(32),
    spanId: '2'.repeat(16),
    name: 'chat',
    startTimeUnixNano,
    events: [result('helpful', 0.7), result('strict', 0.7), result('other', 0.7)],
  };
  const body = Buffer.from(JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] }));
  const thresholds = new Map([
    ['helpful', 0.7],
    ['strict', 0.71],
  ]);
  const request = { ...otlp(body, ''), encoding: 'json' as const, maxScores: 3, passThresholds: thresholds };
  await pipeline.acceptOtlp({ projectId, organizationId }, request, 1);
  await pipeline.drain();
  const stored = await clickhouse
    .forTenant({ projectId, oldestMs: null })
    .query('SELECT evaluator, passed FROM scores FINAL ORDER BY evaluator');
  expect(stored).toEqual([
    { evaluator: 'helpful', passed: 1 },
    { evaluator: 'other', passed: null },
    { evaluator: 'strict', passed: 0 },
  ]);
});

function otlp(body: Buffer, contentEncoding: string): OtlpRequest {
  return {
    body,
    contentEncoding,
    encoding: 'protobuf',
    inflatedBytes: body.length,
    nowMs: startMs,
    oldestMs: 0,
    spanCount: 1,
    maxScores: 0,
    passThresholds: new Map(),
    ownPrices: new Map(),
  };
}
