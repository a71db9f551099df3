import { afterAll, beforeAll, expect, test } from 'vitest';
import { openGovernance } from '../support/governance.ts';
import type { Governance } from '../support/governance.ts';

const nowMs = Date.UTC(2026, 10, 20, 10);
let service: Governance;

beforeAll(async () => {
  service = await openGovernance(nowMs);
});
afterAll(() => service.close());

const at = (second: number) => new Date(nowMs - 60_000 + second * 1_000).toISOString();
const span = (traceId: string, spanId: string, second = 0) => ({
  type: 'span',
  traceId,
  spanId,
  name: 'call',
  startTime: at(second),
  endTime: at(second + 1),
});
const deletions = async () => {
  const audit = `/v1/organizations/${service.app.organizationId}/audit-log?kind=trace.deleted`;
  const { body } = await service.ownerAt('GET', audit);
  return (body.entries as Array<{ subject: string; detail: object; actor: object; at: string }>).toReversed();
};

test('a deletion is recorded with id, number of spans and time, once', async () => {
  await service.ingest(service.app.apiKey, [span('t-1', 's-2', 5), span('t-1', 's-1', 1), span('t-2', 's-1')]);
  service.app.clock.advance(1_000);
  expect((await service.owner('DELETE', '/traces/t-1')).status).toBe(204);
  expect((await service.owner('DELETE', '/traces/t-1')).status).toBe(404);
  expect(await deletions()).toEqual([
    expect.objectContaining({
      subject: 't-1',
      at: new Date(service.app.clock.now()).toISOString(),
      actor: expect.objectContaining({ type: 'user', name: 'owner@example.com' }),
      detail: { traceId: 't-1', spans: 2, startTime: at(1) },
    }),
  ]);
});

test('a trace is deleted also by its id in the query; without one nothing is', async () => {
  expect((await service.owner('DELETE', '/traces?traceId=t-2')).status).toBe(204);
  expect((await service.owner('GET', '/traces/t-2')).status).toBe(404);
  expect((await service.owner('DELETE', '/traces?traceId=t-2')).status).toBe(404);
  expect((await service.owner('DELETE', '/traces')).status).toBe(400);
  expect((await deletions()).map(({ subject }) => subject)).toEqual(['t-1', 't-2']);
});

test('ids and names that no path can hold are refused', async () => {
  const lines = [
    span('.', 's'),
    span('..', 's'),
    span('t', '.'),
    { ...span('t', 's'), parentSpanId: '..' },
    { type: 'trace', traceId: '.' },
    { type: 'score', traceId: '..', evaluator: 'e', score: 1 },
    span('...', '.a'),
  ];
  const { accepted, rejected } = await service.app.send(lines);
  expect([accepted, rejected.length]).toEqual([1, 6]);
  for (const name of ['.', '..']) {
    const prompt = { name, prompt: 'x', projectId: service.app.projectId };
    const { status, body } = await service.ownerAt('POST', '/v1/prompts', prompt);
    expect([status, body.details[0]]).toEqual([400, { path: '/name', message: 'must not consist of one or two dots' }]);
  }
});
