import { expect } from 'vitest';
import type { TestApp } from '../support/app.ts';

export const startMs = Date.UTC(2026, 10, 29, 10);

/** Of spans that were sent: a second, a minute before the service's time. */
export const times = { startTime: new Date(startMs - 60_000).toISOString(), endTime: new Date(startMs - 59_000).toISOString() };

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  body: Record<string, unknown>;
}

/** A link that was made, with the token in it. */
export interface Made {
  id: string;
  url: string;
  expiresAt: string;
  token: string;
}

interface Sent {
  body?: unknown;
  /** The owner's cookie by default. */
  headers?: Record<string, string>;
}

export interface ShareRequests {
  call(method: string, path: string, sent?: Sent): Promise<Answer>;
  /** The path of a trace's links. */
  sharesOf(traceId: string): string;
  share(traceId: string, body?: object): Promise<Made>;
  /** Reads what a link shows, without credentials. */
  open(token: string): Promise<Answer>;
}

/** Requests about shared links of the first project of an app. */
export function shareRequests(app: TestApp): ShareRequests {
  const call: ShareRequests['call'] = async (method, path, { body, headers = { cookie: app.cookie } } = {}) => {
    const answer = await fetch(`${app.url}${path}`, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return {
      status: answer.status,
      headers: answer.headers,
      text,
      body: (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>,
    };
  };
  const sharesOf = (traceId: string) => `/v1/projects/${app.projectId}/traces/${traceId}/shares`;
  return {
    call,
    sharesOf,
    async share(traceId, body) {
      const { status, body: made } = await call('POST', sharesOf(traceId), body === undefined ? {} : { body });
      expect([status, made]).toEqual([201, { id: expect.any(String), url: expect.any(String), expiresAt: expect.any(String) }]);
      return { ...(made as unknown as Made), token: String(made['url']).split('/').at(-1) ?? '' };
    },
    open: (token) => call('GET', `/v1/shares/${token}`, { headers: {} }),
  };
}
