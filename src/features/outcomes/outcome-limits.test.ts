import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Tenant } from '../../platform/http/index.ts';
import { countOutcomes } from './count-outcomes.ts';
import { outcomesOfTrace } from './outcomes-of-trace.ts';
import { maxGroups, maxKinds } from './outcomes-sql.ts';
import { nowMs, openOutcomesService } from './outcomes-service.fixture.ts';
import type { OutcomesService } from './outcomes-service.fixture.ts';

let service: OutcomesService;
beforeAll(async () => {
  service = await openOutcomesService();
});
afterAll(() => service.close());

/** Stores outcomes. @param columns SQL of trace and kind, by `number` */
async function fill({ projectId }: Tenant, count: number, { trace, kind }: { trace: string; kind: string }): Promise<void> {
  await service.clickhouse.command(
    `INSERT INTO outcomes (project_id, outcome_id, version, trace_id, kind, start_time, currency)
     SELECT toUUID({project:String}), toString(number), 1, ${trace}, ${kind}, fromUnixTimestamp64Milli({at:Int64}), 'USD' FROM numbers({count:UInt64})`,
    { project: projectId, at: nowMs, count },
  );
}

test('kinds and rows beyond the limits are cut, and the response says so', async () => {
  const project = service.project();
  await fill(project, maxGroups + 1, { trace: "'t'", kind: "concat('k', toString(number))" });
  const kinds = (await service.read(project, 'kinds')).body;
  expect([kinds.kinds.length, kinds.truncated]).toEqual([maxKinds, true]);
  const summary = (await service.read(project, 'summary')).body;
  expect([summary.totals.length, summary.timeline.length, summary.truncated]).toEqual([maxGroups, maxGroups + 1, true]);
  const one = (await service.read(project, 'summary?kind=k7')).body;
  expect([one.totals.length, one.truncated]).toEqual([1, undefined]);
});

test('a trace with many outcomes lists the first of them, and is deleted with all of them', async () => {
  const project = service.project();
  await fill(project, 2_500, { trace: "if(number < 2400, 'many', 'other')", kind: "'k'" });
  const reader = service.clickhouse.forTenant({ projectId: project.projectId, oldestMs: 0 });
  const { outcomes, truncated } = await outcomesOfTrace(reader, 'many');
  expect([outcomes.length, truncated]).toEqual([1_000, true]);
  const count = () => countOutcomes(reader, "SELECT arrayJoin(['many', 'other', {third:String}])", { third: 'none' });
  expect(await count()).toBe(2_500);
  expect(await service.pipeline.deleteTrace(project, 'many')).toBe(true);
  expect(await count()).toBe(100);
});
