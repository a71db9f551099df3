import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp } from '../../../test/support/app.ts';
import type { TestApp } from '../../../test/support/app.ts';
import { runClient } from './command-io.fixture.ts';

const nowMs = Date.UTC(2026, 10, 20, 10);
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp(nowMs);
  const call = (spanId: string, more: object) => ({
    type: 'span',
    traceId: 't',
    spanId,
    name: 'chat',
    kind: 'llm',
    startTime: new Date(nowMs - 60_000).toISOString(),
    endTime: new Date(nowMs - 58_500).toISOString(),
    ...more,
  });
  await app.send([
    call('a', { model: 'dear', costUsd: 1.5, metadata: { tenant: '\u001B[31m=x' } }),
    call('b', { model: 'cheap', costUsd: 0.004, status: 'error' }),
    call('c', { model: 'middling', costUsd: 0.25 }),
  ]);
});
afterAll(() => app.close());

const run = (...parameters: string[]) =>
  runClient(['query', ...parameters], { environment: { url: app.url, apiKey: app.apiKey }, now: () => nowMs });

test('a table of the groups, the others and the total', async () => {
  const { code, printed } = await run('--by', 'model', '--measure', 'cost,errorRate', '--measure', 'latency.p95', '--limit', '2');
  expect(code).toBe(0);
  expect(printed.map((line) => line.split(/ {2,}/))).toEqual([
    ['model', 'cost', 'errorRate', 'latency.p95'],
    ['dear', '$1.50', '0.0 %', '1.5 s'],
    ['middling', '$0.25', '0.0 %', '1.5 s'],
    ['other (1)', '$0.0040', '100.0 %', '1.5 s'],
    ['total', '$1.75', '33.3 %', '1.5 s'],
  ]);
});

test('rows by time, and which are not over', async () => {
  const { printed } = await run('--interval', 'day', '--range', '1d');
  expect(printed).toEqual([
    'time                   count',
    '2026-11-20 00:00:00 …      3',
    '… cut by the range, or not over yet',
  ]);
});

test('costs that lack calls without a price are marked', async () => {
  await app.send([
    {
      type: 'span',
      traceId: 'u',
      spanId: 'u',
      name: 'chat',
      kind: 'llm',
      model: 'nobody-knows',
      usage: { inputTokens: 1 },
      startTime: new Date(nowMs - 60_000).toISOString(),
      endTime: new Date(nowMs - 58_500).toISOString(),
    },
  ]);
  const { printed } = await run('--by', 'model', '--measure', 'cost', '--filter', 'model:(dear OR nobody-knows)');
  expect(printed.map((line) => line.split(/ {2,}/))).toEqual([
    ['model', 'cost'],
    ['dear', '$1.50'],
    ['nobody-knows', '$0*'],
    ['total', '$1.50*'],
    ['* with calls that have no price, or a price in part'],
  ]);
});

test('an order by a field, and the range before', async () => {
  const { printed } = await run(
    '--by',
    'model',
    '--measure',
    'cost,count',
    '--order-by',
    'model',
    '--compare',
    'previous',
    '--range',
    '1d',
  );
  expect(printed.slice(0, 3).map((line) => line.split(/ {2,}/))).toEqual([
    ['model', 'cost', 'count', 'cost before', 'count before'],
    ['cheap', '$0.0040', '1', '$0', '0'],
    ['dear', '$1.50', '1', '$0', '0'],
  ]);
  expect((await run('--order-by', 'cost')).errors).toContain('--order-by cost');
});

test('JSON and CSV', async () => {
  const json = await run('--on', 'traces', '--filter', 'model:dear', '--json');
  expect(JSON.parse(json.printed.join(''))).toMatchObject({ totals: { values: [1] } });
  const csv = await run('--by', 'metadata.tenant', '--measure', 'cost', '--filter', 'metadata.tenant:*', '--csv');
  expect(csv.printed).toEqual(['"metadata.tenant","cost","n"', '"\u001B[31m=x","1.5","1"']);
  expect((await run('--json', '--csv')).code).not.toBe(0);
});

test('what is wrong is told', async () => {
  const { code, errors } = await run('--measure', 'costs');
  expect(code).not.toBe(0);
  expect(errors).toContain('did you mean cost?');
});
