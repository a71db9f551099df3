import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, score } from './events.fixture.ts';
import { cookieOf, nowMs, openModelsService } from './models-service.fixture.ts';
import type { ModelsService } from './models-service.fixture.ts';

let service: ModelsService;
beforeAll(async () => {
  service = await openModelsService();
}, 60_000);
afterAll(() => service.close());

const spans = [
  call({ traceId: 't1', spanId: 'a', environment: 'production', costUsd: 1 }),
  call({ traceId: 't2', spanId: 'b', environment: 'staging', costUsd: 2, status: 'error', errorCode: '429' }),
  call({ traceId: 't3', spanId: 'c', environment: '', costUsd: 4 }),
  call({ traceId: 't4', spanId: 'd', environment: 'production', model: '', status: 'error', errorCode: 'timeout' }),
];
const scores = [
  score({ scoreId: 's1', traceId: 't1', score: 0.25 }),
  score({ scoreId: 's2', traceId: 't2', spanId: 'b', score: 1 }),
];

test('figures are of spans with one of the environments; an empty value stands for spans without one', async () => {
  const project = service.project();
  await service.store(project, { spans, scores });
  const costs = async (...environment: string[]) =>
    (await service.list(project, environment.length === 0 ? {} : { environment })).models.map(({ total_cost: cost }) => cost);
  expect(await costs()).toEqual([7]);
  expect(await costs('production')).toEqual([1]);
  expect(await costs('production', 'staging')).toEqual([3]);
  expect(await costs('')).toEqual([4]);
  expect(await costs('none')).toEqual([]);
  const detail = await service.detail(project, 'gpt-4o', { environment: ['staging'] });
  expect(detail.summary).toMatchObject({ total_calls: 1, error_count: 1, share_of_calls: 1, avg_ttft: null });
  expect(detail.quality.overall).toMatchObject({ eval_count: 1, avg_score: 1 });
});

test('calls without a model are counted beside the models, and nowhere among them', async () => {
  const project = service.project();
  await service.store(project, { spans, scores });
  const list = await service.list(project);
  expect([list.unnamed, list.models.length]).toEqual([{ calls: 1, errors: 1 }, 1]);
  const { unnamed, totals } = await service.overview(project, { environment: ['staging'] });
  expect([unnamed, totals.calls]).toEqual([{ calls: 0, errors: 0 }, 1]);
});

test('hours that an earlier release sealed answer all environments from rollups, one from rows, until they are sealed again', async () => {
  const project = service.project();
  await service.store(project, { spans, scores });
  await service.sealAll();
  const production = { environment: ['production'] };
  const read = () =>
    Promise.all([service.overview(project), service.overview(project, production), service.list(project, production)]);
  const wanted = await read();
  // As that release left them: one row for all environments.
  const mutation = 'WHERE project_id = {project:UUID} SETTINGS mutations_sync = 2';
  for (const table of ['model_hours', 'model_hour_sketches', 'quality_hours'])
    await service.clickhouse.command(`ALTER TABLE ${table} UPDATE environment = '' ${mutation}`, { project: project.projectId });
  await sql`UPDATE hour_states SET layout = 1`.execute(service.db);
  await sql`UPDATE day_states SET layout = 1`.execute(service.db);
  expect(await read()).toEqual(wanted);
  service.clock.advance(10 * 60_000);
  await service.sealAll();
  const { rows } = await sql`SELECT 1 FROM hour_states WHERE layout < 2`.execute(service.db);
  expect([rows, await read()]).toEqual([[], wanted]);
  service.clock.set(nowMs);
});

test.each(['environment=%00', `environment=${'x'.repeat(257)}`])('400 for %s', async (query) => {
  const project = service.project();
  for (const path of ['models', 'models/m', 'overview']) {
    const { status } = await service.request(`/v1/projects/${project.projectId}/${path}?${query}`, { cookie: cookieOf(project) });
    expect([path, status]).toEqual([path, 400]);
  }
});
