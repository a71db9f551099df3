import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MemoryLog } from '../../../test/support/memory-log.ts';
import type { TenantReader } from '../../platform/clickhouse/index.ts';
import type { Tenant } from '../../platform/http/index.ts';
import { call, score } from '../models/events.fixture.ts';
import { nowMs, openModelsService } from '../models/models-service.fixture.ts';
import type { ModelsService } from '../models/models-service.fixture.ts';
import { LocalBatchBuilder, Pipeline } from '../trace-store/index.ts';
import type { TouchedHour } from '../trace-store/index.ts';
import { deleteSupersededSeals } from './delete-superseded-seals.ts';
import { HourStates } from './hour-states.ts';
import { sealDays } from './seal-days.ts';
import { sealHours } from './seal-hours.ts';
import { hourMs } from '../../contract/durations.ts';
import { noUsage as usage } from '../trace-store/log/no-usage.fixture.ts';

let service: ModelsService;

beforeAll(async () => {
  service = await openModelsService();
}, 60_000);
afterAll(() => service.close());

const thisHour = Math.floor(nowMs / hourMs) * 3600;
const plan = ({ projectId }: Tenant) => service.hourStates.plan(projectId, thisHour - 7200, thisHour + 3600);
const callsOf = async (project: Tenant) => (await service.detail(project, 'gpt-4o')).summary?.total_calls;

/** The rows of an hour in each rollup table by seal. */
async function storedSeals({ projectId }: Tenant): Promise<Record<string, number[]>> {
  const reader = service.clickhouse.forTenant({ projectId, oldestMs: null });
  const seals: Record<string, number[]> = {};
  for (const table of ['model_hours', 'model_hour_sketches', 'quality_hours']) {
    const rows = await reader.query<{ seal: number }>(`SELECT DISTINCT seal FROM ${table} ORDER BY seal`);
    seals[table] = rows.map(({ seal }) => seal);
  }
  return seals;
}

/** Two projects, in the order of their ids. */
function twoProjects(): [Tenant, Tenant] {
  const [first, second] = [service.project(), service.project()];
  return first.projectId < second.projectId ? [first, second] : [second, first];
}

/** ClickHouse that refuses the rollups of a project. */
function failingFor(bad: Tenant): ModelsService['clickhouse'] {
  return Object.create(service.clickhouse, {
    forTenant: {
      value: (scope: { projectId: string; oldestMs: number | null }): TenantReader => {
        const reader = service.clickhouse.forTenant(scope);
        if (scope.projectId !== bad.projectId) return reader;
        return { ...reader, insertSelect: () => Promise.reject(new Error('cannot')) };
      },
    },
  }) as ModelsService['clickhouse'];
}

describe('hour states', () => {
  test('an hour is dirty from its first mark, sealed once quiet, and dirty again at the next mark', async () => {
    const project = service.project();
    expect(await plan(project)).toEqual({ days: [], hours: [], dirty: [] });
    await service.hourStates.mark([
      { ...project, hour: thisHour - 3600 },
      { ...project, hour: thisHour - 3600 },
    ]);
    expect(await plan(project)).toEqual({ days: [], hours: [], dirty: [thisHour - 3600] });
    expect(await sealHours(service)).toBe(0);
    service.clock.advance(5_000);
    expect(await sealHours(service)).toBe(1);
    expect(await plan(project)).toEqual({ days: [], hours: [{ hour: thisHour - 3600, seal: expect.any(Number) }], dirty: [] });
    await service.hourStates.mark([{ ...project, hour: thisHour - 3600 }]);
    expect(await plan(project)).toEqual({ days: [], hours: [], dirty: [thisHour - 3600] });
    await service.sealAll();
  });

  test('an hour that is marked continually is sealed after a minute', async () => {
    const project = service.project();
    let sealed = 0;
    for (let second = 0; second < 62; second += 2) {
      await service.hourStates.mark([{ ...project, hour: thisHour }]);
      sealed += await sealHours(service);
      service.clock.advance(2_000);
    }
    expect(sealed).toBe(1);
    await service.sealAll();
  });

  test('a mark that comes while an hour is being sealed leaves it dirty', async () => {
    const project = service.project();
    await service.hourStates.mark([{ ...project, hour: thisHour }]);
    service.clock.advance(5_000);
    const due = await service.hourStates.due(10);
    await service.hourStates.mark([{ ...project, hour: thisHour }]);
    await service.hourStates.seal(due, await service.hourStates.nextSeal());
    expect((await plan(project)).dirty).toEqual([thisHour]);
    await service.sealAll();
  });

  test('hours whose rollups have an older layout are due too, after those that changed, in what the limit leaves', async () => {
    const project = service.project();
    const hours = [1, 2, 3].map((ago) => ({ ...project, hour: thisHour - ago * 3600 }));
    await service.hourStates.mark(hours);
    await service.sealAll();
    await sql`UPDATE hour_states SET layout = 1 WHERE project_id = ${project.projectId}`.execute(service.db);
    service.clock.advance(10 * 60_000);
    await service.hourStates.mark([{ ...project, hour: thisHour }]);
    service.clock.advance(5_000);
    const starts = async (limit: number) => (await service.hourStates.due(limit)).map(({ hour }) => (thisHour - hour) / 3600);
    expect([await starts(10), await starts(3), await starts(1)]).toEqual([[0, 1, 2, 3], [0, 1, 2], [0]]);
    await service.sealAll();
  });

  test('hours that were marked since a given time are marked again', async () => {
    const project = service.project();
    await service.hourStates.mark([{ ...project, hour: thisHour - 3600 }]);
    await service.sealAll();
    const crashed = service.clock.now();
    await service.hourStates.mark([{ ...project, hour: thisHour }]);
    await service.sealAll();
    await service.hourStates.markTouchedSince(crashed);
    expect(await plan(project)).toEqual({
      days: [],
      hours: [{ hour: thisHour - 3600, seal: expect.any(Number) }],
      dirty: [thisHour],
    });
    await service.sealAll();
  });
});

describe('sealing', () => {
  test.each(['after a crash', 'in the same process'])(
    'an hour sealed while a batch was written is read from rows once the batch is repeated %s',
    async (when) => {
      const project = service.project();
      const log = new MemoryLog();
      const open = (markHours: (hours: readonly TouchedHour[]) => Promise<void>) =>
        Pipeline.open({
          clickhouse: service.clickhouse,
          builder: new LocalBatchBuilder(service.clickhouse),
          log,
          logId: project.projectId,
          usage,
          clock: service.clock,
          onWriteError: () => undefined,
          onUnreadable: () => Promise.resolve(),
          markHours,
          markHoursSince: (sinceMs) => service.hourStates.markTouchedSince(sinceMs),
          batchIntervalMs: 3_600_000,
          closePatienceMs: 0,
        });
      let marks = 0;
      const failing = await open(async (hours) => {
        if (++marks === 2) throw new Error('not marked again');
        await service.hourStates.mark(hours);
        if (marks > 1) return;
        // The hour was due before the batch had written its rows.
        await service.sealAll('hours');
      });
      await failing.accept(project, { spans: [call({})], scores: [] }, 0);
      await expect(failing.drain()).rejects.toThrow('not marked again');
      expect(log.closedSegments()).toHaveLength(1);

      const repeating = when === 'after a crash' ? await open((hours) => service.hourStates.mark(hours)) : failing;
      await repeating.drain();
      expect(await callsOf(project)).toBe(1);
      await service.sealAll();
      expect(await callsOf(project)).toBe(1);
      for (const pipeline of new Set([failing, repeating])) await pipeline.close();
    },
  );

  test('rows of an interrupted sealing are not read, and are deleted after the next one', async () => {
    const project = service.project();
    await service.store(project, { spans: [call({})], scores: [score({ model: 'gpt-4o' })] });
    service.clock.advance(10_000);
    const crashing = Object.assign(new HourStates(service.db, service.clock), {
      seal: () => Promise.reject(new Error('killed')),
      postpone: () => Promise.resolve(),
    });
    await expect(sealHours({ ...service, hourStates: crashing })).rejects.toThrow('could not be sealed');
    expect(await callsOf(project)).toBe(1);
    await service.sealAll();
    expect(await callsOf(project)).toBe(1);
    expect((await storedSeals(project))['model_hours']).toHaveLength(2);
    service.clock.advance(10 * 60_000);
    await deleteSupersededSeals(service);
    const seals = await storedSeals(project);
    const named = (await plan(project)).hours[0]?.seal;
    expect(seals).toEqual({ model_hours: [named], model_hour_sketches: [named], quality_hours: [named] });
    expect(await callsOf(project)).toBe(1);
  });

  test('the oldest superseded rows are deleted first, whatever hours are being written', async () => {
    const [writing, quiet] = twoProjects();
    const twice = async (project: Tenant, startMs: number) => {
      for (const spanId of ['a', 'b']) {
        await service.store(project, { spans: [call({ spanId, startMs })], scores: [] });
        await service.sealAll('hours');
      }
    };
    await twice(quiet, nowMs - 30 * hourMs);
    service.clock.advance(10 * 60_000);
    await twice(writing, nowMs);
    await deleteSupersededSeals(service, 1);
    expect((await storedSeals(quiet))['model_hours']).toHaveLength(1);
    expect((await storedSeals(writing))['model_hours']).toHaveLength(2);
  });

  test('superseded rows of several hours are deleted in one run', async () => {
    const project = service.project();
    for (const spanId of ['a', 'b']) {
      const spans = [0, 2, 5].map((hours) => call({ spanId: `${spanId}${hours}`, startMs: nowMs - hours * hourMs }));
      await service.store(project, { spans, scores: [] });
      await service.sealAll('hours');
    }
    service.clock.advance(10 * 60_000);
    await deleteSupersededSeals(service);
    const reader = service.clickhouse.forTenant({ projectId: project.projectId, oldestMs: null });
    const hours = await reader.query<{ seals: number }>(
      'SELECT hour, toUInt32(uniqExact(seal)) AS seals FROM model_hours GROUP BY hour ORDER BY hour',
    );
    expect(hours.map(({ seals }) => seals)).toEqual([1, 1, 1]);
    expect(await callsOf(project)).toBe(6);
  });

  test('superseded rows stay while a read may still use them', async () => {
    const project = service.project();
    for (const spanId of ['a', 'b']) {
      await service.store(project, { spans: [call({ spanId })], scores: [] });
      await service.sealAll();
    }
    await deleteSupersededSeals(service);
    expect((await storedSeals(project))['model_hours']).toHaveLength(2);
    service.clock.advance(10 * 60_000);
    await deleteSupersededSeals(service);
    expect((await storedSeals(project))['model_hours']).toHaveLength(1);
    expect(await callsOf(project)).toBe(2);
  });

  test('an hour that cannot be sealed does not delay other projects', async () => {
    const [bad, good] = [service.project(), service.project()];
    await service.store(bad, { spans: [call({})], scores: [] });
    await service.store(good, { spans: [call({})], scores: [] });
    service.clock.advance(10_000);
    await expect(sealHours({ ...service, clickhouse: failingFor(bad) })).rejects.toThrow('could not be sealed');
    expect((await plan(good)).dirty).toEqual([]);
    expect((await plan(bad)).dirty).toEqual([thisHour - 3600]);
    await service.sealAll();
    expect((await plan(bad)).dirty).toEqual([]);
  });

  test('a span that moves to another hour no longer counts in the first', async () => {
    const project = service.project();
    await service.store(project, { spans: [call({})], scores: [] });
    await service.sealAll();
    await service.store(project, { spans: [call({ startMs: nowMs - 40 * 24 * hourMs })], scores: [] });
    await service.sealAll();
    expect(await callsOf(project)).toBeUndefined();
    expect((await service.detail(project, 'gpt-4o', { range: '90d' })).summary?.total_calls).toBe(1);
  });
});

describe('days', () => {
  const yesterday = Math.floor(nowMs / 86_400_000) * 86_400 - 86_400;
  const dayPlan = ({ projectId }: Tenant) => service.hourStates.plan(projectId, yesterday, yesterday + 86_400);
  const at = (hour: number) => (yesterday + hour * 3600) * 1000;

  test('a past day is read from its daily rollup, from its hours after one of them changes, and from its daily rollup again', async () => {
    const project = service.project();
    const spans = [0, 5, 23].map((hour) =>
      call({ spanId: `s${hour}`, traceId: 'same', startMs: at(hour), durationMs: 100 * hour }),
    );
    await service.store(project, { spans, scores: [score({ traceId: 'same', timestampMs: at(7) })] });
    await service.sealAll('hours');
    expect((await dayPlan(project)).hours).toHaveLength(4);
    const ofHours = await service.detail(project, 'gpt-4o');
    await service.sealAll();
    expect(await dayPlan(project)).toEqual({ days: [{ hour: yesterday, seal: expect.any(Number) }], hours: [], dirty: [] });
    expect(await service.detail(project, 'gpt-4o')).toEqual(ofHours);
    await service.store(project, { spans: [call({ spanId: 'late', traceId: 'same', startMs: at(5) })], scores: [] });
    expect((await dayPlan(project)).dirty).toEqual([yesterday + 5 * 3600]);
    expect(await callsOf(project)).toBe(4);
    await service.sealAll('hours');
    expect((await dayPlan(project)).hours).toHaveLength(4);
    expect(await callsOf(project)).toBe(4);
    await service.sealAll();
    expect((await dayPlan(project)).days).toHaveLength(1);
    expect(await callsOf(project)).toBe(4);
    service.clock.advance(10 * 60_000);
    await deleteSupersededSeals(service);
    expect(await callsOf(project)).toBe(4);
    await service.hourStates.mark([{ ...project, hour: yesterday }]);
    await service.sealAll('hours');
    expect(await callsOf(project)).toBe(4);
  });

  test('a day is read from its hours when an hour was sealed again while the day was summed', async () => {
    const project = service.project();
    await service.store(project, { spans: [call({ startMs: at(3) })], scores: [] });
    await service.sealAll('hours');
    const seal = await service.hourStates.nextSeal();
    await service.hourStates.mark([{ ...project, hour: yesterday + 3 * 3600 }]);
    await service.sealAll('hours');
    await service.hourStates.sealDays(project.projectId, [yesterday], seal, false);
    expect((await dayPlan(project)).hours).toEqual([{ hour: yesterday + 3 * 3600, seal: expect.any(Number) }]);
  });

  test('a day that contains the retention edge is read from its hours', async () => {
    const project = service.project('free');
    const edge = service.clock.now() - 14 * 86_400_000;
    const spans = [-1, 0, 1, hourMs, 2 * hourMs].map((offset, index) => call({ spanId: `s${index}`, startMs: edge + offset }));
    await service.store(project, { spans, scores: [] });
    for (const what of ['hours', 'days'] as const) {
      await service.sealAll(what);
      service.clock.set(edge + 14 * 86_400_000);
      expect(await callsOf(project)).toBe(4);
    }
  });

  test('a day that cannot be sealed does not delay other projects', async () => {
    const [bad, good] = twoProjects();
    for (const project of [bad, good]) await service.store(project, { spans: [call({ startMs: at(3) })], scores: [] });
    await service.sealAll('hours');
    const states = service.hourStates.at(service.clock);
    await expect(sealDays(failingFor(bad), states)).rejects.toThrow('projects with days that could not be sealed: 1');
    expect([(await dayPlan(good)).days.length, (await dayPlan(bad)).days.length]).toEqual([1, 0]);
    await service.sealAll();
    expect((await dayPlan(bad)).days).toHaveLength(1);
  });
});
