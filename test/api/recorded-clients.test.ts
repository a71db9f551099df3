import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp } from '../support/app.ts';
import type { TestApp } from '../support/app.ts';
import { encodeRequest, requestJson } from '../support/otlp-oracle.ts';

const folder = join(import.meta.dirname, '../fixtures/otlp');

/** What a recorded body of a client must become: test/fixtures/otlp/README.md. */
interface ExpectedClient {
  calls: { chat: number; embeddings: number; failed: number };
  inputTokens?: number;
  embeddingTokens?: number;
  cachedTokens?: number;
  errorCodes: string[];
  kinds: Record<string, number>;
  traces: string[];
  models: string[];
  sessions: string[];
  users: string[];
  tags: string[];
  agents: string[];
}

/** What the fake model server counted for each answer, and for each embedding. */
const answer = { inputTokens: 1200, outputTokens: 85, cachedTokens: 1024 };
const embeddingTokens = 12;

const clients = Object.entries(JSON.parse(readFileSync(join(folder, 'clients.json'), 'utf8')) as Record<string, ExpectedClient>);

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp(Date.UTC(2026, 10, 22, 18));
});
afterAll(() => app.close());

/** A body in both encodings. */
function encodings(file: string): { json: object; protobuf: Buffer } {
  const body = readFileSync(join(folder, file));
  const json = file.includes('-json.') ? (JSON.parse(body.toString()) as object) : requestJson(body);
  return { json, protobuf: file.includes('-json.') ? encodeRequest(json) : body };
}

async function send(body: Buffer | string, contentType: string): Promise<void> {
  const response = await fetch(`${app.url}/v1/traces`, {
    method: 'POST',
    headers: { 'x-api-key': app.apiKey, 'content-type': contentType },
    body: typeof body === 'string' ? body : new Uint8Array(body),
  });
  expect(response.status).toBe(200);
  await app.pipeline.drain();
}

interface Trace {
  trace: { name: string; callCount: number; models: string[]; [field: string]: unknown };
  spans: Array<Record<string, unknown> & { kind: string; tags: string[] }>;
}

async function tracesOf(json: object): Promise<Trace[]> {
  const ids = [...new Set([...JSON.stringify(json).matchAll(/"traceId":"([0-9a-f]{32})"/g)].map(([, id]) => id ?? ''))];
  return Promise.all(ids.map(async (id) => (await app.get(`/v1/projects/${app.projectId}/traces/${id}`)).body as Trace));
}

/** Calls and failed calls of the project in all. */
async function figures(): Promise<{ calls: number; errors: number }> {
  const { body } = await app.get(`/v1/projects/${app.projectId}/overview?range=30d`);
  return (body as { totals: { calls: number; errors: number } }).totals;
}

const distinct = (values: readonly unknown[]): unknown[] =>
  [...new Set(values)].filter((value) => value !== null && value !== '').toSorted();

test.each(clients)('%s: one call for each request, one error for each failure, in both encodings', async (file, expected) => {
  const { json, protobuf } = encodings(file);
  const before = await figures();
  await send(protobuf, 'application/x-protobuf');
  const traces = await tracesOf(json);
  await send(JSON.stringify(json), 'application/json');
  expect(await tracesOf(json)).toEqual(traces);

  const { chat, embeddings, failed } = expected.calls;
  const after = await figures();
  expect({ calls: after.calls - before.calls, errors: after.errors - before.errors }).toEqual({
    calls: chat + embeddings + failed,
    errors: failed,
  });

  const sum = (field: string) => traces.reduce((total, { trace }) => total + Number(trace[field]), 0);
  const answered = expected.inputTokens === undefined ? chat : expected.inputTokens / answer.inputTokens;
  const embedded = expected.embeddingTokens ?? embeddings * embeddingTokens;
  expect(sum('inputTokens')).toBe(answered * answer.inputTokens + embedded);
  expect(sum('outputTokens')).toBe(answered * answer.outputTokens);
  expect(sum('cachedTokens')).toBe(expected.cachedTokens ?? answered * answer.cachedTokens);
});

test.each(clients)('%s: the fields of traces and spans', async (file, expected) => {
  const { json, protobuf } = encodings(file);
  await send(protobuf, 'application/x-protobuf');
  const traces = await tracesOf(json);
  const spans = traces.flatMap((one) => one.spans);
  expect(traces.map(({ trace }) => trace.name).toSorted()).toEqual(expected.traces);
  expect(distinct(traces.flatMap(({ trace }) => trace.models))).toEqual(expected.models);
  const kinds = Object.entries(Object.groupBy(spans, ({ kind }) => kind)).map(([kind, all]) => [kind, all?.length]);
  expect(Object.fromEntries(kinds)).toEqual(expected.kinds);
  expect(distinct(spans.map((span) => span['errorCode']))).toEqual(expected.errorCodes);
  expect(distinct(spans.map((span) => span['sessionId']))).toEqual(expected.sessions);
  expect(distinct(spans.map((span) => span['userId']))).toEqual(expected.users);
  expect(distinct(spans.flatMap(({ tags }) => tags))).toEqual(expected.tags);
  expect(distinct(spans.map((span) => span['agentName']))).toEqual(expected.agents);
});
