import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp } from '../support/app.ts';
import type { TestApp } from '../support/app.ts';

const startMs = Date.UTC(2026, 10, 22, 10);
const edge = join(import.meta.dirname, '../fixtures/otlp/edge');

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp(startMs);
});
afterAll(() => app.close());

function post(path: string, body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string>) {
  return fetch(app.url + path, { method: 'POST', headers: { 'x-api-key': app.apiKey, ...headers }, body });
}

interface Health {
  status: string;
  lastSpanAt: string | null;
  eventsLastHour: number;
  pendingEvents: number;
  rejectedLastHour: number;
  quota: { used: number; limit: number };
}

const health = async () => (await app.get(`/v1/projects/${app.projectId}/ingest-health`)).body as Health;

test('native events and OTLP spans are counted together, before and after they are written to ClickHouse', async () => {
  expect(await health()).toMatchObject({ status: 'never', quota: { used: 0, limit: 100_000_000 } });
  const events = [
    {
      type: 'span',
      traceId: 'n1',
      spanId: 'a',
      name: 'chat',
      startTime: '2026-11-22T09:59:59.123456789Z',
      kind: 'llm',
      input: { id: 5 },
    },
    { type: 'trace', traceId: 'n1', name: 'checkout' },
    { type: 'score', traceId: 'n1', evaluator: 'helpful', score: true },
    { type: 'span', traceId: 'n1' },
  ];
  const body = gzipSync(events.map((event) => JSON.stringify(event)).join('\n'));
  const headers = { 'content-type': 'application/x-ndjson', 'content-encoding': 'gzip' };
  const first = await post('/v1/ingest', body, headers);
  expect([first.status, await first.json()]).toEqual([
    202,
    { accepted: 3, rejected: [{ line: 4, code: 'invalid_request', error: 'spanId is required.' }] },
  ]);
  // A repeated body does not count against the quota: docs/semantics.md, "Repeated bodies".
  expect((await post('/v1/ingest', body, headers)).status).toBe(202);
  const spans = await post('/v1/traces', new Uint8Array(readFileSync(join(edge, 'proto-600-spans-gzip.bin'))), {
    'content-type': 'application/x-protobuf',
    'content-encoding': 'gzip',
  });
  expect(spans.status).toBe(202);
  const expected = {
    status: 'healthy',
    lastSpanAt: '2026-11-22T10:00:00.000Z',
    eventsLastHour: 518,
    rejectedLastHour: 90,
    quota: { used: 515 },
  };
  expect(await health()).toMatchObject(expected);
  await app.pipeline.drain();
  expect(await health()).toMatchObject({ ...expected, pendingEvents: 0 });
  const months = await sql`SELECT month::text, events FROM usage_months`.execute(app.stores.postgres.db);
  expect(months.rows).toEqual([{ month: '2026-11-01', events: 515 }]);
  app.clock.advance(16 * 60_000);
  expect(await health()).toMatchObject({ ...expected, status: 'stale' });
});

test('a repeated body changes neither trace nor score', async () => {
  const { body } = await app.get(`/v1/projects/${app.projectId}/traces/n1`);
  expect(body).toMatchObject({
    trace: { name: 'checkout' },
    spans: [{ spanId: 'a', startTime: '2026-11-22T09:59:59.123Z', input: { id: 5 }, costStatus: 'unpriced' }],
    scores: [{ evaluator: 'helpful', score: 1 }],
  });
});

test('hostile input is returned as it was sent', async () => {
  const input = '{"id":1234567890123456789,"__proto__":{"x":1},"text":"\\u0000\\ud800"}';
  const line = `{"type":"span","traceId":"n2","spanId":"a","name":"\\u0000\\ud800","startTime":"2026-11-22T10:00:00Z","input":${input}}`;
  expect((await post('/v1/ingest', line, { 'content-type': 'text/plain' })).status).toBe(202);
  await app.pipeline.drain();
  const answer = await fetch(`${app.url}/v1/projects/${app.projectId}/traces/n2`, { headers: { 'x-api-key': app.apiKey } });
  expect(answer.status).toBe(200);
  const text = await answer.text();
  expect(text).toContain(`"input":${input}`);
  expect(JSON.parse(text)).toMatchObject({ spans: [{ name: '\u0000\ufffd' }] });
});

test('a prompt version is answered as the JSON type that was sent, and counts as the same version', async () => {
  const sent: Array<string | number | null> = [3, '3', 9_007_199_254_740_991, 0, 'v3-beta', '', null];
  const events = sent.map((promptVersion, index) => ({
    type: 'span',
    traceId: 'versions',
    spanId: `s${index}`,
    name: 'chat',
    kind: 'llm',
    model: 'gpt-4o',
    startTime: `2026-11-22T09:59:50.00${index}Z`,
    endTime: '2026-11-22T09:59:51Z',
    promptName: 'versioned',
    promptVersion,
  }));
  const body = events.map((event) => JSON.stringify(event)).join('\n');
  expect((await post('/v1/ingest', body, { 'content-type': 'application/x-ndjson' })).status).toBe(202);
  await app.pipeline.drain();
  const trace = (await app.get(`/v1/projects/${app.projectId}/traces/versions`)).body as {
    spans: Array<{ promptVersion: unknown }>;
  };
  expect(trace.spans.map(({ promptVersion }) => promptVersion)).toEqual([
    3,
    '3',
    9_007_199_254_740_991,
    0,
    'v3-beta',
    null,
    null,
  ]);
  const metrics = await app.get(`/v1/projects/${app.projectId}/prompts/versioned/metrics`);
  expect(metrics.body).toMatchObject({ versions: [{ version: 3, calls: 2 }] });
});
