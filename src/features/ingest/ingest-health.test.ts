import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { apiKey, cookieOf, nowMs, openIngestService, projectId } from './ingest-service.fixture.ts';
import type { IngestService } from './ingest-service.fixture.ts';
import { minuteMs } from '../../contract/durations.ts';

let service: IngestService;

beforeEach(async () => {
  service = await openIngestService();
});
afterEach(() => service.close());

async function send(...events: object[]): Promise<void> {
  const response = await fetch(`${service.url}/v1/ingest`, {
    method: 'POST',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/x-ndjson' },
    body: events.map((event) => JSON.stringify(event)).join('\n'),
  });
  await response.arrayBuffer();
}

const span = () => ({
  type: 'span',
  traceId: 't1',
  spanId: 's1',
  name: 'chat',
  startTime: new Date(service.clock.now()).toISOString(),
});
const trace = { type: 'trace', traceId: 't1' };

async function health(headers: Record<string, string> = { 'x-api-key': apiKey }, id = projectId) {
  const response = await fetch(`${service.url}/v1/projects/${id}/ingest-health`, { headers });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

test('without any event', async () => {
  expect(await health()).toEqual({
    status: 200,
    body: {
      status: 'never',
      lastEventAt: null,
      lastSpanAt: null,
      eventsLastHour: 0,
      eventsLastDay: 0,
      rejectedLastHour: 0,
      latestRejections: [],
      pendingEvents: 0,
      pendingMs: 0,
      clients: [],
      search: null,
      quota: { used: 0, limit: 50_000, resetsAt: '2026-12-01T00:00:00.000Z' },
    },
  });
});

test('a span makes it healthy for 15 minutes, then it is stale', async () => {
  await send(span());
  expect((await health()).body).toMatchObject({ status: 'healthy', lastSpanAt: new Date(nowMs).toISOString() });
  service.clock.advance(15 * minuteMs);
  expect((await health()).body).toMatchObject({ status: 'healthy' });
  service.clock.advance(1);
  expect((await health()).body).toMatchObject({ status: 'stale' });
  await send(span());
  expect((await health()).body).toMatchObject({ status: 'healthy' });
});

test('the arrival of a span counts, not its start time', async () => {
  await send({ ...span(), startTime: new Date(nowMs - 3 * 86_400_000).toISOString() });
  expect((await health()).body).toMatchObject({ status: 'healthy', lastSpanAt: new Date(nowMs).toISOString() });
});

test('traces and scores count as events, not as spans', async () => {
  await send(trace, { type: 'score', traceId: 't1', evaluator: 'helpful', score: 1 });
  expect((await health()).body).toMatchObject({
    status: 'never',
    lastEventAt: new Date(nowMs).toISOString(),
    lastSpanAt: null,
    eventsLastHour: 2,
  });
});

test('a span beyond retention does not count', async () => {
  await send(span());
  service.clock.advance(14 * 24 * 60 * minuteMs);
  expect((await health()).body).toMatchObject({ status: 'never', lastEventAt: null, lastSpanAt: null });
});

test('events are counted once, pending or written', async () => {
  await send(span(), trace);
  service.clock.advance(4_000);
  expect((await health()).body).toMatchObject({
    pendingEvents: 2,
    pendingMs: 4_000,
    eventsLastHour: 2,
    eventsLastDay: 2,
    quota: { used: 2 },
  });
  service.pipeline.write();
  expect((await health()).body).toMatchObject({ pendingEvents: 0, eventsLastHour: 2, eventsLastDay: 2, quota: { used: 2 } });
  service.clock.advance(61 * minuteMs);
  expect((await health()).body).toMatchObject({ eventsLastHour: 0, eventsLastDay: 2 });
  service.clock.advance(24 * 60 * minuteMs);
  expect((await health()).body).toMatchObject({ eventsLastDay: 0, quota: { used: 2 } });
});

test('rejected lines of the last hour', async () => {
  await send(span(), { type: 'span' }, { type: 'nonsense' });
  await send({ type: 'span' });
  expect((await health()).body).toMatchObject({ rejectedLastHour: 3 });
  service.clock.advance(61 * minuteMs);
  expect((await health()).body).toMatchObject({ rejectedLastHour: 0, latestRejections: [] });
});

test('a body that is too large, of another type or not readable counts as one, with its reason', async () => {
  const sendBody = async (contentType: string, body: string, path = '/v1/ingest') => {
    const headers = { 'x-api-key': apiKey, 'content-type': contentType };
    const response = await fetch(`${service.url}${path}`, { method: 'POST', headers, body });
    await response.arrayBuffer();
    return response.status;
  };
  await send({ type: 'nonsense' });
  service.clock.advance(1);
  for (const [status, type, payload, path] of [
    [413, 'application/x-ndjson', ' '.repeat(1_048_577)],
    [415, 'image/png', 'x'],
    [400, 'application/json', '{', '/v1/traces'],
  ] as const) {
    expect(await sendBody(type, payload, path)).toBe(status);
    service.clock.advance(1);
  }
  const { body } = await health();
  expect(body).toMatchObject({
    rejectedLastHour: 4,
    latestRejections: [
      { code: 'invalid_request', count: 1, at: new Date(nowMs + 3).toISOString() },
      { code: 'unsupported_media_type', count: 1 },
      { code: 'payload_too_large', count: 1, error: expect.stringContaining('1 MiB') },
      { code: 'invalid_request', count: 1, at: new Date(nowMs).toISOString() },
    ],
  });
});

test.each(['/v1/ingest', '/v1/traces'])('a body of %s that is too large names what helps one large event', async (path) => {
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' };
  const post = async (body: Buffer | string, more = {}) => {
    const response = await fetch(`${service.url}${path}`, { method: 'POST', headers: { ...headers, ...more }, body });
    expect(response.status).toBe(413);
    const { error } = (await response.json()) as { error: string };
    return { error };
  };
  const event = (length: number) => JSON.stringify({ ...span(), input: 'x'.repeat(length) });
  const sent = await post(event(1_100_000));
  expect(sent.error).toMatch(/compress it .* shorten long inputs and outputs/);
  service.clock.advance(1);
  const inflated = await post(gzipSync(event(17_000_000)), { 'content-encoding': 'gzip' });
  expect(inflated.error).toContain('shorten long inputs and outputs');
  expect((await health()).body).toMatchObject({ rejectedLastHour: 2, latestRejections: [inflated, sent] });
});

describe('who may ask', () => {
  test.each(['owner', 'admin', 'member', 'viewer'] as const)('200: a session of the role %s', async (role) => {
    expect((await health({ cookie: cookieOf(role) })).status).toBe(200);
  });

  test('401: without credentials', async () => {
    expect(await health({})).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
  });

  test('403: a session of another tenant, and a missing project', async () => {
    const other = '0197a000-0000-7000-8000-000000000009';
    const [stranger, absent] = [
      await health({ cookie: cookieOf('stranger') }),
      await health({ cookie: cookieOf('owner') }, other),
    ];
    expect(stranger).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    expect(absent).toEqual(stranger);
  });

  test.each(['0197a000-0000-7000-8000-000000000009', 'nonsense'])('404: a key of another project than %s', async (id) => {
    expect(await health({ 'x-api-key': apiKey }, id)).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });
});
