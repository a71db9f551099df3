import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runs } from '../../../test/support/runs.ts';
import { call } from './events.fixture.ts';
import { nowMs, openModelsService } from './models-service.fixture.ts';
import type { ModelsService } from './models-service.fixture.ts';

let service: ModelsService;

beforeAll(async () => {
  service = await openModelsService();
}, 60_000);
afterAll(() => service.close());

/** Writes sealed sketches for `hours` hours. Each holds `perHour` traces, and its first trace is `step` after that of the hour before. */
async function sketch(projectId: string, model: string, hours: number, perHour: number, step: number): Promise<void> {
  const first = Math.floor(nowMs / 3_600_000) * 3600 - hours * 3600;
  const touched = Array.from({ length: hours }, (_, index) => ({ projectId, hour: first + index * 3600 }));
  const { hours: sealed } = await service.hourStates.plan(projectId, first, first + hours * 3600);
  const seal = sealed[0]?.seal ?? (await service.hourStates.nextSeal());
  if (sealed.length === 0) {
    await service.hourStates.mark(touched);
    service.clock.advance(10_000);
    await service.hourStates.seal(await service.hourStates.due(1000), seal);
  }
  await service.clickhouse.command(
    `INSERT INTO model_hour_sketches (project_id, grain, hour, seal, model, traces)
     SELECT {projectId:UUID}, 'hour', toDateTime({first:UInt32} + number * 3600), {seal:UInt64}, {model:String},
       arrayMap(trace -> sipHash64(trace), range({step:UInt64} * number, {step:UInt64} * number + {perHour:UInt64}))
     FROM numbers({hours:UInt64})`,
    { projectId, first, seal, model, step, perHour, hours },
  );
  // The model list reads its models from `model_hours`.
  await service.clickhouse.command(
    `INSERT INTO model_hours (project_id, grain, hour, seal, model, dimension, calls, cost)
     VALUES ({projectId:UUID}, 'hour', {first:UInt32}, {seal:UInt64}, {model:String}, 'model', 1, 1)`,
    { projectId, first, seal, model },
  );
}

test('traces are counted exactly below 50,000 and within 1 % beyond, in any number of hours', async () => {
  const project = service.project();
  // Mostly different traces, the same traces in every hour, and very few.
  await sketch(project.projectId, 'many', 24, 60_000, 55_000);
  await sketch(project.projectId, 'same', 24, 49_999, 0);
  await sketch(project.projectId, 'few', 24, 3, 0);
  const counted = new Map((await service.list(project)).models.map(({ model, trace_count }) => [model, trace_count]));
  const many = 23 * 55_000 + 60_000;
  expect(counted.get('same')).toBe(49_999);
  expect(counted.get('few')).toBe(3);
  expect(Math.abs((counted.get('many') ?? 0) - many)).toBeLessThan(many * 0.01);
  for (const [model, count] of counted) {
    const alone = (await service.detail(project, model)).summary?.trace_count ?? 0;
    if (count < 50_000) expect(alone).toBe(count);
    else expect(Math.abs(alone - many)).toBeLessThan(many * 0.01);
  }
}, 60_000);

test('trace counts keep their precision for any number and any distribution over hours', async () => {
  const project = service.project();
  // Sizes around the limits of counting, estimating and sampling; in one hour, spread over all hours, and mixed.
  const hours = 24;
  const sizes = fc.oneof(
    ...[30_000, 32_768, 50_000, 60_000].map((size) => fc.integer({ min: size - 300, max: size + 300 })),
    fc.integer({ min: 1, max: 400_000 }),
    fc.integer({ min: 1_900_000, max: 4_000_000 }),
  );
  const spread = fc.constantFrom(0, 1 / hours, 1 / (2 * hours));
  const drawn = [
    ...fc.sample(fc.record({ size: sizes, spread }), { numRuns: runs({ usual: 6, nightly: 20 }), seed: 7 }),
    { size: 7_500_000, spread: 1 / hours },
  ];
  const wanted = new Map<string, number>();
  for (const [index, { size, spread }] of drawn.entries()) {
    const step = Math.floor(size * spread);
    await sketch(project.projectId, `model-${index}`, hours, size - step * (hours - 1), step);
    wanted.set(`model-${index}`, size);
  }
  const listed = new Map((await service.list(project)).models.map(({ model, trace_count: count }) => [model, count]));
  for (const [model, size] of wanted) {
    const alone = (await service.detail(project, model)).summary?.trace_count ?? 0;
    for (const count of [listed.get(model) ?? 0, alone])
      expect(Math.abs(count - size), `${model}: ${count} of ${size}`).toBeLessThanOrEqual(size > 50_000 ? size * 0.01 : 0);
  }
}, 120_000);

test('a trace in sealed and in dirty hours counts once', async () => {
  const project = service.project();
  await service.store(project, { spans: [call({ spanId: 'a', startMs: nowMs - 5 * 3_600_000 })], scores: [] });
  await service.sealAll();
  await service.store(project, { spans: [call({ spanId: 'b' })], scores: [] });
  expect((await service.detail(project, 'gpt-4o')).summary).toMatchObject({ total_calls: 2, trace_count: 1 });
});
