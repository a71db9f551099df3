import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestClickHouse } from '../../../../test/support/analytics.ts';
import type { ClickHouse } from '../../../platform/clickhouse/index.ts';
import { LocalBatchBuilder } from '../batches/batch-builder.ts';
import { storedScores, storedSpans } from '../derivation/stored-headers.ts';
import { derivedState, rig, score, span, startMs } from './pipeline-rig.fixture.ts';
import type { Rig } from './pipeline-rig.fixture.ts';

let clickhouse: ClickHouse;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ clickhouse, close } = await openTestClickHouse());
});
afterAll(() => close());

const nothing = { calls: [], nodeCalls: [], agents: [], quality: [], traces: [], headers: [] };
const hoursBefore = (hours: number) => BigInt(startMs - hours * 3_600_000) * 1_000_000n;
const call = { traceId: 't1', kind: 'llm', model: 'm', name: 'a name', input: '"a question"', output: '"an answer"' } as const;
const first = span({ ...call, spanId: 'first', startNs: hoursBefore(9) });
const second = span({ ...call, spanId: 'second' });

async function send({ pipeline, tenant }: Rig, spans: Array<typeof first>, scores: Array<ReturnType<typeof score>> = []) {
  await pipeline.accept(tenant, { spans, scores }, 1);
  await pipeline.drain();
}

/** Writes the nth segment again, as a restart does while a span consumer has not finished it. */
async function repeat({ pipeline, log }: Rig, nth: number): Promise<void> {
  log.restore(log.history.at(nth)?.info.id ?? 0);
  await pipeline.drain();
}

test('the later part of a deleted trace, written again, is no trace of its own', async () => {
  const opened = await rig(clickhouse);
  const { pipeline, tenant } = opened;
  await send(opened, [first]);
  await send(opened, [second]);
  await pipeline.deleteTrace(tenant, 't1');
  await repeat(opened, 1);
  expect(await derivedState(clickhouse, tenant.projectId)).toEqual(nothing);
  await repeat(opened, 0);
  expect(await derivedState(clickhouse, tenant.projectId)).toEqual(nothing);
  await pipeline.close();
});

test('a call that its deleted trace did not count is not counted when it is written again', async () => {
  const opened = await rig(clickhouse);
  const { pipeline, tenant } = opened;
  const inner = span({ ...call, spanId: 'inner', parentSpanId: 'outer', inputTokens: 5 });
  await send(opened, [inner]);
  await send(opened, [span({ ...call, spanId: 'outer', inputTokens: 5 })]);
  expect((await derivedState(clickhouse, tenant.projectId)).calls).toMatchObject([{ span_id: 'inner' }]);
  await pipeline.deleteTrace(tenant, 't1');
  await repeat(opened, 1);
  expect(await derivedState(clickhouse, tenant.projectId)).toEqual(nothing);
  await pipeline.close();
});

test('spans and scores of a trace that was deleted twice stay deleted, and their payloads are not stored again', async () => {
  const opened = await rig(clickhouse);
  const { pipeline, tenant } = opened;
  await send(opened, [first], [score({})]);
  await pipeline.deleteTrace(tenant, 't1');
  await send(opened, [second]);
  await pipeline.deleteTrace(tenant, 't1');
  await opened.deletePayloads();
  await repeat(opened, 0);
  await repeat(opened, 1);
  expect((await storedSpans(clickhouse, tenant.projectId, ['t1'])).size).toBe(0);
  expect((await storedScores(clickhouse, tenant.projectId, ['t1'])).size).toBe(0);
  expect(await derivedState(clickhouse, tenant.projectId)).toEqual(nothing);
  const ofProject = `project_id = '${tenant.projectId}'`;
  expect(await clickhouse.systemQuery(`SELECT 1 FROM spans WHERE ${ofProject} AND input != ''`)).toEqual([]);
  await pipeline.close();
});

test('a span that was sent again after the deletion is written again alone', async () => {
  const opened = await rig(clickhouse);
  const { pipeline, tenant } = opened;
  await send(opened, [first, second]);
  await pipeline.deleteTrace(tenant, 't1');
  await send(opened, [second]);
  const after = await derivedState(clickhouse, tenant.projectId);
  expect(after.traces).toMatchObject([{ span_count: 1 }]);
  for (const nth of [0, 1]) await repeat(opened, nth);
  expect(await derivedState(clickhouse, tenant.projectId)).toEqual(after);
  await pipeline.close();
});

test('a deletion leaves a tombstone under every start that the trace had, and no text', async () => {
  const opened = await rig(clickhouse);
  const { pipeline, tenant } = opened;
  await send(opened, [second]);
  await send(opened, [first]);
  await pipeline.deleteTrace(tenant, 't1');
  await opened.deletePayloads();
  const rows = await clickhouse.systemQuery(
    `SELECT DISTINCT toString(reinterpretAsInt64(start_time)) AS start, is_deleted AS deleted, name, input_preview AS input,
       output_preview AS output FROM traces WHERE project_id = '${tenant.projectId}' ORDER BY start`,
  );
  const tombstone = { deleted: 1, name: '', input: '', output: '' };
  expect(rows).toEqual([first, second].map(({ startNs }) => ({ ...tombstone, start: String(startNs) })));
  await pipeline.close();
});

test('neither span consumers nor the job that reconciles replicas get deleted spans of a repeated batch', async () => {
  const opened = await rig(clickhouse);
  const { pipeline, tenant, log } = opened;
  await send(opened, [first, span({ traceId: 't2', spanId: 'other' })]);
  await pipeline.deleteTrace(tenant, 't1');
  const { forTenant, systemQuery } = clickhouse;
  const source = { mode: 'http' as const, forTenant: forTenant.bind(clickhouse), systemQuery: systemQuery.bind(clickhouse) };
  const builder = new LocalBatchBuilder(source);
  const options = { token: 'repeated', fresh: false, unwritten: 0, minVersion: 0, spansOfProjects: [tenant.projectId] };
  const { spans, touched, hours } = await builder.build(log.history[0]?.records ?? [], options);
  expect(spans.flatMap((ofProject) => ofProject.spans.map(({ spanId }) => spanId))).toEqual(['other']);
  expect(touched).toEqual([{ projectId: tenant.projectId, traceIds: ['t2'] }]);
  expect(hours).toEqual([]);
  await pipeline.close();
});
