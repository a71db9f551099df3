import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { BasicTracerProvider } from '@opentelemetry/sdk-trace-node';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { spanwiseExporter, SpanwiseSpanProcessor } from '../../packages/sdk/src/otel/index.ts';
import { startTestApp } from '../support/app.ts';
import type { TestApp } from '../support/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp(Date.now());
});
afterAll(() => app.close());

test('spans of OpenTelemetry arrive, in requests that the service takes whole', async () => {
  // In front of the service, to see the requests.
  const requests: Array<{ inflated: number; headers: Record<string, unknown>; status: number }> = [];
  const proxy = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const { 'content-type': type, 'content-encoding': encoding, 'x-api-key': key, 'x-team': team } = request.headers;
    const headers = { 'content-type': type, 'content-encoding': encoding, 'x-api-key': key, 'x-team': team };
    const answer = await fetch(`${app.url}${request.url}`, { method: 'POST', headers: headers as Record<string, string>, body });
    requests.push({ inflated: gunzipSync(body).length, headers, status: answer.status });
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
    response.end(Buffer.from(await answer.arrayBuffer()));
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const processor = new SpanwiseSpanProcessor({ apiKey: app.apiKey, baseUrl, headers: { 'x-team': 'a' } });
  const provider = new BasicTracerProvider({ spanProcessors: [processor] });
  const tracer = provider.getTracer('test');
  for (let index = 0; index < 600; index += 1) tracer.startSpan(`small ${index}`, { attributes: { index } }).end();
  // Each a third of a request; random, so that compression does not help.
  const noise = Array.from({ length: 300_000 }, () => String.fromCharCode(33 + Math.floor(Math.random() * 90))).join('');
  for (let index = 0; index < 4; index += 1) {
    const span = tracer.startSpan('chat', { attributes: { 'gen_ai.request.model': 'm', list: ['a', 'b'] } });
    span.addEvent('gen_ai.content.prompt', { 'gen_ai.prompt': noise });
    span.end();
  }
  await provider.forceFlush();
  await provider.shutdown();
  await new Promise((resolve) => proxy.close(resolve));
  expect(requests.map(({ status }) => status)).toEqual(requests.map(() => 200));
  for (const { inflated, headers } of requests) {
    expect(inflated).toBeLessThan(1_048_576);
    expect(headers).toMatchObject({ 'content-type': 'application/x-protobuf', 'content-encoding': 'gzip', 'x-team': 'a' });
  }
  await app.pipeline.drain();
  const { body } = await app.get(`/v1/projects/${app.projectId}/ingest-health`);
  expect(body).toMatchObject({ eventsLastHour: 604, rejectedLastHour: 0 });
});

test('a failure is told to OpenTelemetry, whichever request it was', async () => {
  const exporter = spanwiseExporter({ apiKey: `${app.apiKey.slice(0, -1)}_`, baseUrl: app.url });
  const finished: unknown[] = [];
  const provider = new BasicTracerProvider({
    spanProcessors: [
      {
        onStart: () => undefined,
        onEnd: (span) => void finished.push(span),
        forceFlush: async () => {},
        shutdown: async () => {},
      },
    ],
  });
  provider.getTracer('test').startSpan('a').end();
  const result = await new Promise((resolve) => exporter.export(finished as never, resolve));
  expect(result).toMatchObject({ code: 1 });
  await exporter.shutdown();
});

test('without a key nothing is sent, with a word', async () => {
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const exporter = spanwiseExporter({ baseUrl: app.url });
  expect(await new Promise((resolve) => exporter.export([], resolve))).toEqual({ code: 0 });
  await exporter.shutdown();
  expect(warned).toHaveBeenCalledWith(expect.stringContaining('Set SPANWISE_API_KEY'));
  warned.mockRestore();
});
