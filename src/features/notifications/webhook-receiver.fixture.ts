import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedWebhook {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface WebhookReceiver {
  url: string;
  received: ReceivedWebhook[];
  /** Answers the following requests; default: 200 without a body. */
  answer(how: (response: ServerResponse, webhook: ReceivedWebhook) => void): void;
  /** Resolves once a request has arrived at a path. */
  arrival(path: string): Promise<void>;
  close(): Promise<void>;
}

/** A receiver of webhooks on a loopback address. */
export async function openWebhookReceiver(): Promise<WebhookReceiver> {
  const received: ReceivedWebhook[] = [];
  const waiting = new Map<string, () => void>();
  const ok = (response: ServerResponse) => void response.end();
  let how: Parameters<WebhookReceiver['answer']>[0] = ok;
  const server = createServer(async (request, response) => {
    let body = '';
    request.setEncoding('utf8');
    for await (const chunk of request) body += String(chunk);
    const webhook = { path: request.url ?? '', headers: request.headers, body };
    received.push(webhook);
    waiting.get(webhook.path)?.();
    how(response, webhook);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    answer: (other) => {
      how = other;
    },
    arrival: (path) => new Promise((resolve) => void waiting.set(path, resolve)),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
}

export const answering =
  (status: number, headers: Record<string, string> = {}, body = '') =>
  (response: ServerResponse): void =>
    void response.writeHead(status, headers).end(body);
