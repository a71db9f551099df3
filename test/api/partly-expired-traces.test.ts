import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp } from '../support/app.ts';
import type { TestApp } from '../support/app.ts';
import { administrator } from '../support/service.ts';
import { minuteMs } from '../../src/contract/durations.ts';

const startMs = Date.UTC(2026, 10, 20, 10);
/** The retention of the first organization's plan. */
const retentionMs = 365 * 86_400_000;

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp(startMs);
});
afterAll(() => app.close());

/** The cookie of a session that began after the clock was set a year ahead. */
let cookie = '';

async function signIn(): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const login = await fetch(`${app.url}/v1/auth/login`, { method: 'POST', headers, body: JSON.stringify(administrator) });
  cookie = login.headers.getSetCookie()[0]?.split(';')[0] ?? '';
}

async function get(path: string): Promise<{ status: number; body: ReturnType<typeof JSON.parse> }> {
  const answer = await fetch(`${app.url}/v1/projects/${app.projectId}${path}`, { headers: { cookie } });
  return { status: answer.status, body: await answer.json() };
}

const at = (minutes: number) => new Date(startMs - minutes * minuteMs).toISOString();

function nativeSpan(spanId: string, minutesAgo: number): object {
  const times = { startTime: at(minutesAgo), endTime: at(minutesAgo - 1) };
  return {
    type: 'span',
    traceId: 'native',
    spanId,
    name: spanId,
    ...times,
    kind: 'llm',
    model: 'm',
    costUsd: 0.5,
    usage: { inputTokens: 7 },
  };
}

function otlpSpan(spanId: string, minutesAgo: number): object {
  const nanoseconds = (minutes: number) => `${startMs - minutes * minuteMs}000000`;
  const attributes = [
    { key: 'gen_ai.operation.name', value: { stringValue: 'chat' } },
    { key: 'gen_ai.request.model', value: { stringValue: 'm' } },
    { key: 'gen_ai.usage.input_tokens', value: { intValue: '5' } },
    { key: 'gen_ai.conversation.id', value: { stringValue: 'otlp-session' } },
  ];
  return {
    traceId: '5b8efff798038103d269b633813fc60c',
    spanId,
    name: `otlp ${minutesAgo}`,
    startTimeUnixNano: nanoseconds(minutesAgo),
    endTimeUnixNano: nanoseconds(minutesAgo - 1),
    attributes,
  };
}

/** Pairs of a trace id and a number of spans. */
const pairs = (...left: Array<[traceId: string, spans: number]>) => left;

test('traces of native and OTLP spans lose span by span at the retention edge, in every read alike', async () => {
  const native = [10, 8, 6].map((minutes) => nativeSpan(`n${minutes}`, minutes));
  expect(await app.send(native)).toEqual({ accepted: 3, rejected: [] });
  const spans = [otlpSpan('eee19b7ec3c1b171', 9), otlpSpan('eee19b7ec3c1b172', 7)];
  const posted = await fetch(`${app.url}/v1/traces`, {
    method: 'POST',
    headers: { 'x-api-key': app.apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] }),
  });
  expect(posted.status).toBe(200);
  await app.pipeline.drain();

  const otlp = '5b8efff798038103d269b633813fc60c';
  /** Minutes before the start at which the edge stands, and the spans that are left: by trace, the newest trace first. */
  const steps: Array<[minutesAgo: number, left: Array<[traceId: string, spans: number]>]> = [
    [11, pairs([otlp, 2], ['native', 3])],
    [9, pairs(['native', 2], [otlp, 2])],
    [8, pairs([otlp, 1], ['native', 2])],
    [7, pairs(['native', 1], [otlp, 1])],
    [6.5, pairs(['native', 1])],
    [5, []],
  ];
  for (const [minutesAgo, left] of steps) {
    app.clock.set(startMs - minutesAgo * minuteMs + retentionMs);
    if (cookie === '') await signIn();
    const { body: list } = await get('/traces?from=2026-01-01T00:00:00Z');
    const figures = left.map(([traceId, spanCount]) => {
      const perSpan = traceId === 'native' ? 7 : 5;
      return { traceId, spanCount, callCount: spanCount, inputTokens: spanCount * perSpan, models: ['m'] };
    });
    expect(list.traces, `${minutesAgo}`).toMatchObject(figures);
    expect(list.traces).toHaveLength(left.length);
    for (const traceId of ['native', otlp]) {
      const { status, body } = await get(`/traces/${traceId}`);
      const found = figures.find((trace) => trace.traceId === traceId);
      expect(status).toBe(found ? 200 : 404);
      expect((await get(`/traces/${traceId}/payloads`)).status).toBe(found ? 200 : 404);
      const ids = ['n10', 'n8', 'n6', 'eee19b7ec3c1b171', 'eee19b7ec3c1b172'].map((spanId) => `spanId=${spanId}`).join('&');
      const some = await get(`/traces/${traceId}/spans?${ids}`);
      expect([some.status, some.body.spans]).toEqual(found ? [200, body.spans] : [404, undefined]);
      if (found) expect([body.trace.spanCount, body.spans.length]).toEqual([found.spanCount, found.spanCount]);
    }
    const ofOtlp = figures
      .filter(({ traceId }) => traceId === otlp)
      .map(({ spanCount }) => ({ sessionId: 'otlp-session', traceCount: 1, spanCount }));
    expect((await get('/sessions?from=2026-01-01T00:00:00Z')).body.sessions).toMatchObject(ofOtlp);
    // The model figures count the same calls.
    const { body: model } = await get('/models/m?from=2026-01-01T00:00:00Z');
    const calls = figures.reduce((sum, trace) => sum + trace.callCount, 0);
    expect(model.summary?.total_calls ?? 0, JSON.stringify(model).slice(0, 300)).toBe(calls);
  }
});
