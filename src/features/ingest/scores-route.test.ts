import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ServiceError } from '../../contract/errors.ts';
import { score as scoreSchema } from '../../contract/traces.ts';
import { send } from '../../platform/http/http-service.fixture.ts';
import type { Answer } from '../../platform/http/http-service.fixture.ts';
import { apiKey, cookieOf, nowMs, openIngestService, organizationId, projectId } from './ingest-service.fixture.ts';
import type { IngestService } from './ingest-service.fixture.ts';
import { dayMs } from '../../contract/durations.ts';

let service: IngestService;
beforeAll(async () => {
  service = await openIngestService('free');
});
afterAll(() => service.close());
beforeEach(() => {
  service.pipeline.accepted.length = 0;
  service.pipeline.failure = null;
});

const byKey = { 'x-api-key': apiKey };
const bySession = { cookie: cookieOf('member') };
const given = { traceId: 't1', evaluator: 'helpful', score: 0.5 };
const post = (body: unknown, headers: Record<string, string> = byKey, id = projectId): Promise<Answer> =>
  send(`${service.url}/v1/projects/${id}/scores`, { method: 'POST', headers, body });
const stored = () => service.pipeline.accepted.flatMap(({ batch }) => batch.scores);
const iso = (ms: number) => new Date(ms).toISOString();

describe('POST /v1/projects/{id}/scores', () => {
  test('answers 201 with the score as traces show it, once it is stored, and counts nothing', async () => {
    const full = {
      scoreId: 'sc-1',
      traceId: 't1',
      spanId: 's1',
      evaluator: 'helpful',
      score: -2.5,
      passed: false,
      label: 'bad',
      comment: 'Nicht\u0000 gut 👎',
      model: 'm/1',
      timestamp: iso(nowMs - dayMs),
    };
    const { status, body } = await post(full);
    expect(status).toBe(201);
    expect(scoreSchema.strict().safeParse(body).error).toBeUndefined();
    const recordedBy = { type: 'api_key', id: apiKey, name: 'key' };
    expect(body).toEqual({ ...full, sessionId: null, source: 'api', recordedBy });
    expect(service.pipeline.accepted).toEqual([
      {
        tenant: { projectId, organizationId },
        batch: { spans: [], scores: [expect.any(Object)] },
        quotaCount: 0,
        atMs: nowMs,
      },
    ]);
    const { timestamp: _, ...texts } = full;
    const metadata = JSON.stringify({ recordedBy });
    const asGiven = { scaleMin: 0, scaleMax: 1, isQuality: true };
    expect(stored()).toEqual([{ ...texts, ...asGiven, sessionId: '', timestampMs: nowMs - dayMs, source: 'api', metadata }]);
  });

  test('takes a human annotation by session: now, under a new UUIDv7, with who made it', async () => {
    const { status, body } = await post({ ...given, score: true, label: null }, bySession);
    expect(status).toBe(201);
    expect(body).toEqual({
      ...given,
      score: 1,
      scoreId: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      spanId: null,
      sessionId: null,
      passed: null,
      label: null,
      comment: null,
      model: null,
      timestamp: iso(nowMs),
      source: 'annotation',
      recordedBy: { type: 'user', id: 'member', name: '' },
    });
    expect(Number.parseInt(body.scoreId.replace('-', '').slice(0, 12), 16)).toBe(nowMs);
    const again = await post(given, bySession);
    expect(again.body.scoreId).not.toBe(body.scoreId);
  });

  test('takes a score of a session, and one of a running clock a little ahead', async () => {
    const { status, body } = await post({ sessionId: 'session 1', evaluator: 'e', score: 0, timestamp: iso(nowMs + dayMs) });
    expect([status, body.sessionId, body.traceId]).toEqual([201, 'session 1', null]);
  });

  test.each([
    [{ ...given, score: undefined }, '/score', /a number from -1e12 to 1e12, or true or false/],
    [{ ...given, score: '1' }, '/score', /a number from -1e12 to 1e12, or true or false/],
    [{ ...given, score: null }, '/score', /number/],
    [{ ...given, evaluator: 'two\nlines' }, '/evaluator', /printable/],
    [{ ...given, traceId: 'a b' }, '/traceId', /characters/],
    [{ ...given, scoreId: '' }, '/scoreId', /characters/],
    [{ ...given, type: 'score' }, '/type', /known field/],
    [{ ...given, metadata: {} }, '/metadata', /known field/],
    [{ ...given, sessionId: 's' }, '', /about one thing/],
    [{ evaluator: 'e', score: 1 }, '', /about one thing/],
    [{ evaluator: 'e', score: 1, spanId: 's1' }, '', /traceId/],
    [{ ...given, timestamp: 'now' }, '/timestamp', /ISO 8601/],
    [{ ...given, timestamp: '2026-02-30T00:00:00Z' }, '/timestamp', /not a moment/],
    [{ ...given, timestamp: iso(nowMs + dayMs + 1) }, '/timestamp', /24 hours ahead/],
    [{ ...given, timestamp: iso(nowMs - 15 * dayMs) }, '/timestamp', /retention/],
    [[given], '', /object/],
    ['{', undefined, /body/],
  ])('is 400 for %j', async (body, path, message) => {
    const answer = await post(body);
    expect([answer.status, answer.body.code]).toEqual([400, 'invalid_request']);
    if (path !== undefined) expect(answer.body.details[0]).toMatchObject({ path, message: expect.stringMatching(message) });
    expect(answer.body.error).toMatch(message);
    expect(stored()).toEqual([]);
  });

  test('is 401 without credentials, 403 without evaluations:manage or membership, 404 for another project by key; before 400', async () => {
    const bad = { nonsense: 1 };
    const other = '0197a000-0000-7000-8000-000000000002';
    for (const [headers, id, status, code] of [
      [{}, projectId, 401, 'unauthenticated'],
      [{ 'x-api-key': 'spw_wrong' }, projectId, 401, 'unauthenticated'],
      [{ cookie: cookieOf('viewer') }, projectId, 403, 'forbidden'],
      [{ cookie: cookieOf('stranger') }, projectId, 403, 'forbidden'],
      [bySession, other, 403, 'forbidden'],
      [byKey, other, 404, 'not_found'],
      [byKey, 'no-id', 404, 'not_found'],
    ] as const) {
      const answer = await post(bad, headers as Record<string, string>, id);
      expect([answer.status, answer.body.code]).toEqual([status, code]);
    }
  });

  test('is 413 for a body over the limit and 415 for another type', async () => {
    expect((await post({ ...given, comment: 'x'.repeat(1_100_000) })).status).toBe(413);
    expect((await post(JSON.stringify(given), { ...byKey, 'content-type': 'text/plain' })).status).toBe(415);
  });

  test('is 503 with Retry-After when the log is full', async () => {
    service.pipeline.failure = new ServiceError('unavailable', 'Send this again.', { retryAfterSeconds: 5 });
    const { status, body, headers } = await post(given);
    expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'unavailable', '5']);
  });

  test('is taken when the quota is used up', async () => {
    service.pipeline.countedBefore = 10_000_000;
    expect((await post(given)).status).toBe(201);
    service.pipeline.countedBefore = 0;
  });
});
