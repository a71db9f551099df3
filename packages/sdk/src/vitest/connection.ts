import { systemClock } from '../clock.ts';
import { foreignAnswer, isRecord } from '../delivery/channel.ts';
import { openService } from '../open-service.ts';
import { projectOf } from '../project-of.ts';
import type { Answer, Service } from '../service.ts';
import { readSettings } from '../settings.ts';

/** How the service is reached. */
export interface ConnectionOptions {
  /** API key of the project. Default: `SPANWISE_API_KEY`. */
  apiKey?: string | undefined;
  /** Address of the service. Default: `SPANWISE_URL`, or `http://127.0.0.1:4318`. */
  baseUrl?: string | undefined;
  /** Milliseconds after which a request is given up. Default: 10,000. */
  timeoutMs?: number | undefined;
  /** Default: the global `fetch`. */
  fetch?: typeof fetch | undefined;
}

/** The service, for callers whom an error must reach. */
export interface Connection {
  service: Service;
  /** Sends JSON and reads JSON. Errors: an answer other than 2xx, in the words of the service. */
  send<T>(method: string, path: string, body?: unknown): Promise<{ status: number; body: T }>;
  /** The project of the API key. */
  projectId(): Promise<string>;
}

/** Errors: there is no API key, or the address is none. */
export function connect(options: ConnectionOptions): Connection {
  const settings = readSettings(options);
  if (settings.problem !== null) throw new Error(settings.problem);
  const service = openService(settings, { clock: systemClock, random: Math.random }, () => undefined);
  const project = projectOf(service);
  return {
    service,
    async send<T>(method: string, path: string, body?: unknown) {
      const sent = body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
      const answer = await service.request(path, { method, ...sent });
      if (!answer.ok) throw refusal(`${method} ${path}`, answer);
      if (answer.body === undefined) throw new Error(foreignAnswer);
      return { status: answer.status, body: answer.body as T };
    },
    async projectId() {
      const id = await project();
      if (typeof id !== 'string') throw refusal('GET /v1/sdk/whoami', id);
      return id;
    },
  };
}

function refusal(what: string, { status, body }: Answer): Error {
  const reason = isRecord(body) && typeof body['error'] === 'string' ? body['error'] : '';
  return new Error(`${what} answered ${status}. ${reason}`.trimEnd());
}
