import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that a target received. */
export interface Received {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  /** The body as it was sent. */
  text: string;
  /** The body as JSON; undefined where it is none. */
  body: ReturnType<typeof JSON.parse>;
}

export type Answering = (response: ServerResponse, request: Received) => void;

/** An application under test, whose answers a test sets. */
export interface SimulationTarget {
  port: number;
  requests: Received[];
  /** Requests that have no answer yet, at most so far. */
  mostAtOnce(): number;
  /** Sets how requests are answered, and forgets those so far. */
  answers(answering: Answering): void;
  close(): Promise<void>;
}

/** Answers 200 with JSON. */
export function answersJson(value: unknown | ((request: Received) => unknown)): Answering {
  return (response, request) => {
    const body: unknown = typeof value === 'function' ? (value as (request: Received) => unknown)(request) : value;
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
}

/** Answers each item's input as its output. */
export const echoes = answersJson(({ body }: Received) => ({ output: body?.input ?? null }));

export async function openSimulationTarget(): Promise<SimulationTarget> {
  const requests: Received[] = [];
  let answering: Answering = echoes;
  let open = 0;
  let most = 0;
  const server = createServer((request, response) => {
    open += 1;
    most = Math.max(most, open);
    response.once('close', () => (open -= 1));
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.once('end', () => {
      const text = Buffer.concat(chunks).toString('utf8');
      const { method = '', url: path = '', headers } = request;
      const received = { method, path, headers, text, body: parsed(text) };
      requests.push(received);
      answering(response, received);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    requests,
    mostAtOnce: () => most,
    answers: (given) => {
      answering = given;
      requests.length = 0;
      most = 0;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
