import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ChatRequest {
  path: string;
  headers: IncomingHttpHeaders;
  body: {
    model: string;
    messages: Array<{ role: string; content: string }>;
    temperature?: number;
    response_format?: { type: string };
  };
}

export type Answering = (response: ServerResponse, request: ChatRequest) => void;

/** An OpenAI-compatible server whose answers a test sets. */
export interface FakeChatServer {
  /** For a connection's `baseUrl`. */
  url: string;
  requests: ChatRequest[];
  /** Sets the answers to the next requests in order; the last one is repeated. Clears {@link FakeChatServer.requests}. */
  answers(...answering: Answering[]): void;
  close(): Promise<void>;
}

/** A chat completion with this content. */
export function says(content: unknown, more: object = {}): Answering {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  return completes({ choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: text } }], ...more });
}

/** 200 with this body. */
export function completes(body: unknown): Answering {
  return (response, request) => {
    const fields = { id: 'chatcmpl-1', object: 'chat.completion', model: request.body.model };
    const whole = typeof body === 'string' ? body : JSON.stringify({ ...fields, ...(body as object) });
    response.writeHead(200, { 'content-type': 'application/json' }).end(whole);
  };
}

/** An error response in OpenAI's form. */
export function refuses(status: number, message = 'no', headers: Record<string, string> = {}): Answering {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify({ error: { message } }));
  };
}

export const hangs: Answering = () => undefined;
export const resets: Answering = (response) => response.socket?.resetAndDestroy();

export async function openFakeChatServer(): Promise<FakeChatServer> {
  const requests: ChatRequest[] = [];
  let answering: Answering[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const seen = { path: request.url ?? '', headers: request.headers, body: JSON.parse(body) as ChatRequest['body'] };
    requests.push(seen);
    const next = answering.length > 1 ? answering.shift() : answering[0];
    next?.(response, seen);
  };
  const server = createServer((request, response) => void answer(request, response));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    answers: (...given) => {
      answering = given;
      requests.length = 0;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
