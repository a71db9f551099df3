import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp } from '../support/app.ts';
import type { TestApp } from '../support/app.ts';
import { addMember } from '../support/add-member.ts';

const startMs = Date.UTC(2026, 10, 20, 10);
let app: TestApp;
let cookies: Record<string, string>;

beforeAll(async () => {
  app = await startTestApp(startMs);
  cookies = { owner: app.cookie };
});
afterAll(() => app.close());

interface Asked {
  status: number;
  // Tests compare the fields that they expect.
  body: ReturnType<typeof JSON.parse>;
}

async function ask(method: string, path: string, body?: unknown, by = 'owner'): Promise<Asked> {
  const caller = by === 'key' ? { 'x-api-key': app.apiKey } : { cookie: cookies[by] ?? '' };
  const answer = await fetch(`${app.url}/v1/projects/${app.projectId}${path}`, {
    method,
    headers: { ...caller, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, body: text === '' ? null : JSON.parse(text) };
}

const select = (body: object, by?: string) => ask('POST', '/selections', body, by);
const jobOf = async (id: string) => (await ask('GET', `/jobs/${id}`)).body.job;

/** Makes a job, runs it, and returns its record. */
async function done(body: object, by?: string) {
  const made = await select(body, by);
  expect([made.status, made.body.error]).toEqual([202, undefined]);
  await app.features.jobs.runPending();
  return jobOf(made.body.job.id);
}

let sent = 0;
/** Sends traces of two spans and a score each. */
async function sendTraces(count: number, more: object = {}): Promise<string[]> {
  const ids = Array.from({ length: count }, () => `trace-${(sent += 1)}`);
  const time = new Date(startMs).toISOString();
  const events = ids.flatMap((traceId) => [
    { type: 'span', traceId, spanId: 'root', name: 'answer', startTime: time, endTime: time, ...more },
    {
      type: 'span',
      traceId,
      spanId: 'call',
      parentSpanId: 'root',
      kind: 'llm',
      model: 'gpt-4o',
      name: 'call',
      startTime: time,
      costUsd: 0.5,
    },
    { type: 'score', traceId, spanId: 'call', scoreId: `score-${traceId}`, evaluator: 'quality', score: 0.5 },
  ]);
  for (let at = 0; at < events.length; at += 99) await app.send(events.slice(at, at + 99));
  return ids;
}

const stored = async (ids: readonly string[]) => {
  const found = await Promise.all(ids.map((id) => ask('GET', `/traces/${id}`)));
  return ids.filter((_, index) => found[index]?.status === 200);
};

test('deletes traces with what was derived from them, and says which ids named nothing', async () => {
  const [kept] = await sendTraces(1);
  const ids = await sendTraces(3);
  const record = await done({ on: 'traces', ids: [...ids, 'missing', ids[0]], except: [ids[2]], action: { type: 'delete' } });
  expect(record).toMatchObject({
    type: 'delete',
    status: 'completed',
    matched: 3,
    done: 2,
    failed: 1,
    errors: [{ id: 'missing', error: 'There is no such trace.' }],
    createdBy: 'owner@example.com',
    result: null,
  });
  expect(await stored([...ids, kept ?? ''])).toEqual([ids[2], kept]);
  const models = await ask('GET', `/spans?limit=200`);
  expect(models.body.spans.map((span: { traceId: string }) => span.traceId).toSorted()).toEqual(
    [kept, kept, ids[2], ids[2]].toSorted(),
  );
  const { entries } = (await app.get('/v1/organizations/' + app.organizationId + '/audit-log?kind=traces.deleted')).body as {
    entries: Array<{ subject: string; detail: unknown; actor: { name: string } }>;
  };
  expect(entries).toMatchObject([
    {
      subject: record.id,
      actor: { name: 'owner@example.com' },
      detail: { jobId: record.id, traces: 2, spans: 4, traceIds: ids.slice(0, 2) },
    },
  ]);
});

test('a trace that is sent again after its deletion is there', async () => {
  const [id] = await sendTraces(1);
  await done({ on: 'traces', ids: [id], action: { type: 'delete' } });
  sent -= 1;
  app.clock.advance(1_000);
  await sendTraces(1);
  expect(await stored([id ?? ''])).toEqual([id]);
});
