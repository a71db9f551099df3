import { afterAll, beforeAll, expect, it } from 'vitest';
import { calledModels } from './called-models.ts';
import { call } from './events.fixture.ts';
import { nowMs, openModelsService } from './models-service.fixture.ts';
import type { ModelsService } from './models-service.fixture.ts';
import { dayMs } from '../../contract/durations.ts';

let service: ModelsService;
beforeAll(async () => {
  service = await openModelsService();
});
afterAll(() => service.close());

it('gives calls, cost, agents and the latest call by model and provider, since a time', async () => {
  const project = service.project();
  const other = service.project();
  const spans = [
    call({
      traceId: 'a',
      spanId: '1',
      model: 'm',
      provider: 'openai',
      costUsd: 0.25,
      costStatus: 'provided',
      agentName: 'writer',
      startMs: nowMs - 5_000,
    }),
    call({
      traceId: 'a',
      spanId: '2',
      model: 'm',
      provider: 'openai',
      costUsd: 0.5,
      costStatus: 'partly_priced',
      agentName: 'reader',
      startMs: nowMs - dayMs,
    }),
    call({ traceId: 'a', spanId: '3', model: 'm', startMs: nowMs - dayMs }),
    call({ traceId: 'b', spanId: '1', model: 'm', provider: 'openai', startMs: nowMs - 40 * dayMs }),
    call({ traceId: 'b', spanId: '2', model: 'old', startMs: nowMs - 31 * dayMs }),
  ];
  await service.store(project, { spans, scores: [] });
  await service.store(other, { spans: [call({ traceId: 'c', spanId: '1', model: 'of another' })], scores: [] });
  // 0.1 + 0.1 + 0.1 is not 0.3 in floating point.
  const summed = ['x', 'y', 'z'].map((spanId) =>
    call({ traceId: 'a', spanId, model: 'summed', costUsd: 0.1, costStatus: 'provided', startMs: nowMs - dayMs }),
  );
  await service.store(project, { spans: summed, scores: [] });
  const found = () => calledModels(service, project, nowMs - 30 * dayMs);
  const expected = [
    {
      model: 'summed',
      provider: '',
      calls: 3,
      cost: 0.3,
      unpricedCalls: 0,
      partlyPricedCalls: 0,
      agents: [],
      lastMs: nowMs - dayMs,
    },
    {
      model: 'm',
      provider: 'openai',
      calls: 2,
      cost: 0.75,
      unpricedCalls: 0,
      partlyPricedCalls: 1,
      agents: ['reader', 'writer'],
      lastMs: nowMs - 5_000,
    },
    { model: 'm', provider: '', calls: 1, cost: 0, unpricedCalls: 1, partlyPricedCalls: 0, agents: [], lastMs: nowMs - dayMs },
  ];
  expect(await found()).toEqual(expected);
  await service.sealAll();
  expect(await found()).toEqual(expected);
  await service.deleteTrace(project, 'a');
  expect(await found()).toEqual([]);
});
