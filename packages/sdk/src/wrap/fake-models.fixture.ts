import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { openTestClient } from '../fake-service.fixture.ts';
import type { TestClient } from '../fake-service.fixture.ts';

export interface FakeModels {
  url: string;
  /** Bodies of the requests. */
  requests: Array<Record<string, unknown>>;
  /** What the next request is answered with. */
  answer: Answer;
  close(): Promise<void>;
}

export type Answer =
  | { json: unknown; status?: number; headers?: Record<string, string> }
  /** Server-sent events, and how they end: normally, with the connection cut, or not at all. */
  | { events: unknown[]; end?: 'cut' | 'open' };

/** Starts fake models for the tests of a file, and gives each test a client of its own. */
export function useFakeModels(open: (rig: { models: FakeModels; client: TestClient }) => void): void {
  let models: FakeModels;
  beforeAll(async () => {
    models = await startFakeModels();
  });
  afterAll(() => models.close());
  beforeEach(() => {
    models.requests.length = 0;
    open({ models, client: openTestClient() });
  });
}

/** A model server on 127.0.0.1 that sends the given answer, in the form of OpenAI's and Anthropic's interfaces. */
export async function startFakeModels(): Promise<FakeModels> {
  const models: FakeModels = { url: '', requests: [], answer: { json: {} }, close: () => Promise.resolve() };
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (data: string) => (body += data));
    request.on('end', () => {
      // Files are sent as forms.
      models.requests.push((body.startsWith('{') ? JSON.parse(body) : {}) as Record<string, unknown>);
      send(models.answer, request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  models.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  models.close = () =>
    new Promise((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
  return models;
}

function send(answer: Answer, request: IncomingMessage, response: ServerResponse): void {
  if ('json' in answer) {
    response.writeHead(answer.status ?? 200, { 'content-type': 'application/json', 'x-request-id': 'req-1', ...answer.headers });
    response.end(JSON.stringify(answer.json));
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  // Anthropic names its events; OpenAI ends with a mark.
  const isNamed = request.url?.includes('/messages') || request.url?.includes('/responses');
  for (const event of answer.events) {
    const { type } = event as { type?: string };
    response.write(`${isNamed ? `event: ${type}\n` : ''}data: ${JSON.stringify(event)}\n\n`);
  }
  if (answer.end === 'cut') setTimeout(() => response.destroy(), 20);
  else if (answer.end !== 'open') response.end(isNamed ? '' : 'data: [DONE]\n\n');
}
