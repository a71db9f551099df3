import { afterAll, beforeAll, expect, test } from 'vitest';
import { emptySpan } from '../records/records.fixture.ts';
import { openAlertsService } from './alerts-service.fixture.ts';
import type { AlertsService } from './alerts-service.fixture.ts';

let service: AlertsService;
beforeAll(async () => {
  service = await openAlertsService();
});
afterAll(() => service.close());

const minute = 60_000;
const day = 24 * 60 * minute;

test('after a clock that was ahead was set back, silences and lack of data are noticed as before', async () => {
  await service.evaluate();
  const project = await service.project();
  const rules = [
    await service.rule(project, { type: 'ingest-stopped', window: '5m', name: 'silence' }),
    await service.rule(project, { type: 'cost', threshold: 1, noData: 'fire', window: '5m', name: 'lack' }),
  ];
  service.clock.advance(day);
  const startNs = BigInt(service.clock.now()) * 1_000_000n;
  await service.store(project, { spans: [{ ...emptySpan, traceId: 't', spanId: 's', kind: 'llm', model: 'm', startNs }] });
  await service.evaluate();
  service.clock.advance(-day);
  const states = () => Promise.all(rules.map(async ({ id }) => (await service.getRule(project, id)).state));
  for (let passed = 0; passed < 5; passed++) {
    await service.evaluate();
    expect(await states()).toEqual(['ok', 'no_data']);
    service.clock.advance(minute);
  }
  await service.evaluate();
  expect(await states()).toEqual(['ok', 'firing']);
  service.clock.advance(minute);
  await service.evaluate();
  expect(await states()).toEqual(['firing', 'firing']);
  expect(service.failures).toEqual([]);
});
