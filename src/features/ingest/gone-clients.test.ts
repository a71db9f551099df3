import { request as httpRequest } from 'node:http';
import type { ClientRequest } from 'node:http';
import { connect } from 'node:net';
import { brotliCompressSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { apiKey, openIngestService } from './ingest-service.fixture.ts';
import type { IngestService } from './ingest-service.fixture.ts';

let service: IngestService;

beforeEach(async () => {
  service = await openIngestService();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await service.close();
});

const open = (headers: Record<string, string | number>): ClientRequest => {
  const outgoing = httpRequest(`${service.url}/v1/ingest`, {
    method: 'POST',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/x-ndjson', ...headers },
  });
  return outgoing.on('error', () => undefined);
};

/** Delays each call of a method until its request's connection is closed. */
function delayed<T extends object>(target: T, method: keyof T & string, begun: () => void) {
  const original = (target[method] as (...given: unknown[]) => unknown).bind(target);
  const answers: Array<Promise<unknown>> = [];
  const closed = Promise.withResolvers<void>();
  vi.spyOn(target, method as never).mockImplementation(((...given: unknown[]) => {
    begun();
    const answer = closed.promise.then(() => original(...given));
    answers.push(answer);
    return answer;
  }) as never);
  return { closed: closed.resolve, answered: () => Promise.allSettled(answers) };
}

test('a body holds no memory once its client has gone while sending', async () => {
  const outgoing = open({ 'content-length': 1_000_000 });
  outgoing.write('x'.repeat(1000));
  await expect.poll(() => service.context.budget.held).toBe(1_000);
  outgoing.destroy();
  await expect.poll(() => service.context.budget.held).toBe(0);
  expect(service.pipeline.accepted).toEqual([]);
});

test('bodies that are announced and not sent keep no other from being read', async () => {
  const silent = Array.from({ length: 257 }, () => open({ 'content-length': 1_048_576 }));
  for (const outgoing of silent) outgoing.flushHeaders();
  const asked = vi.spyOn(service.context.buckets, 'take');
  await expect.poll(() => asked.mock.calls.length).toBe(257);
  const event = JSON.stringify({ type: 'span', traceId: 't', spanId: 's', name: 'n', startTime: '2026-11-20T10:00:00Z' });
  const answer = await fetch(`${service.url}/v1/ingest`, {
    method: 'POST',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/x-ndjson' },
    body: event,
  });
  for (const outgoing of silent) outgoing.destroy();
  expect([answer.status, await answer.text()]).toEqual([202, '{"accepted":1,"rejected":[]}']);
});

test('a body holds no memory once its client has gone while it was inflated', async () => {
  const body = brotliCompressSync(JSON.stringify({ type: 'span' }).padEnd(1_000_000));
  const inflating = Promise.withResolvers<void>();
  const { closed, answered } = delayed(service.context.inflater, 'inflate', inflating.resolve);
  const outgoing = open({ 'content-encoding': 'br', 'content-length': body.length });
  outgoing.end(body);
  await inflating.promise;
  expect(service.context.budget.held).toBe(body.length);
  outgoing.destroy();
  await expect.poll(() => service.context.budget.held).toBe(0);
  closed();
  await answered();
  expect(service.context.budget.held).toBe(0);
});

test('a body holds no memory when its client had gone before it was read', async () => {
  const taking = Promise.withResolvers<void>();
  const { closed, answered } = delayed(service.context.buckets, 'take', taking.resolve);
  const gone = new Promise((resolve) => service.server.once('request', (request) => request.once('close', resolve)));
  const outgoing = open({ 'content-length': 1_000_000 });
  outgoing.write('x'.repeat(1000));
  await taking.promise;
  outgoing.destroy();
  await gone;
  closed();
  await answered();
  expect(service.context.budget.held).toBe(0);
  expect(service.pipeline.accepted).toEqual([]);
});

test.each(['Connection: close', 'Connection: keep-alive'])(
  'a client that sends too much with %s gets its 413',
  async (header) => {
    const length = 3_000_000;
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    const head = ['POST /v1/ingest HTTP/1.1', 'Host: x', `x-api-key: ${apiKey}`, 'Content-Type: application/x-ndjson', header];
    socket.write(`${head.join('\r\n')}\r\nContent-Length: ${length}\r\n\r\n`);
    let answer = '';
    socket.setEncoding('utf8').on('data', (text: string) => (answer += text));
    let failure: Error | null = null;
    socket.on('error', (error) => (failure = error));
    // In pieces, as a client that reads its file.
    for (let sent = 0; sent < length; sent += 100_000) {
      socket.write('x'.repeat(100_000));
      await new Promise(setImmediate);
    }
    await expect.poll(() => answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(failure).toBeNull();
    socket.destroy();
  },
);
