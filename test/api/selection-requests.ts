import { expect } from 'vitest';
import { addMember } from '../support/add-member.ts';
import { startTestApp } from '../support/app.ts';
import type { TestApp } from '../support/app.ts';

export const startMs = Date.UTC(2026, 10, 20, 10);

interface Asked {
  status: number;
  // Tests compare the fields that they expect.
  body: ReturnType<typeof JSON.parse>;
}

/** A service with an owner, a member and a viewer. `by` is one of them, `key` or somebody unknown; the owner by default. */
export interface Selections {
  app: TestApp;
  /** The path is below `/v1/projects/{id}`. */
  ask(method: string, path: string, body?: unknown, by?: string): Promise<Asked>;
  select(body: object, by?: string): Promise<Asked>;
  /** Makes a job, runs it, and returns its record. */
  done(body: object, by?: string): Promise<Asked['body']>;
  download(jobId: string, by?: string): Promise<Response>;
  /** Sends the traces, of two spans and a score each. @param more fields of the roots */
  send(ids: readonly string[], more?: object): Promise<void>;
  /** Sends so many new traces. */
  sendTraces(count: number, more?: object): Promise<string[]>;
  /** Those of the traces that are there. */
  stored(ids: readonly string[]): Promise<string[]>;
}

/** Starts a service. The caller closes `app`. */
export async function openSelections(): Promise<Selections> {
  const app = await startTestApp(startMs);
  const cookies: Record<string, string> = { owner: app.cookie };
  for (const role of ['member', 'viewer']) {
    const person = { email: `${role}@example.com`, password: 'a password of a test', name: role, role };
    cookies[role] = (await addMember(app.url, { cookie: app.cookie }, app.organizationId, person)).cookie;
  }
  const callerOf = (by: string): Record<string, string> =>
    by === 'key' ? { 'x-api-key': app.apiKey } : { cookie: cookies[by] ?? '' };
  const ask: Selections['ask'] = async (method, path, body, by = 'owner') => {
    const answer = await fetch(`${app.url}/v1/projects/${app.projectId}${path}`, {
      method,
      headers: { ...callerOf(by), ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, body: text === '' ? null : JSON.parse(text) };
  };
  const select: Selections['select'] = (body, by) => ask('POST', '/selections', body, by);
  const send: Selections['send'] = async (ids, more = {}) => {
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
  };
  let sent = 0;
  return {
    app,
    ask,
    select,
    async done(body, by) {
      const made = await select(body, by);
      expect([made.status, made.body.error]).toEqual([202, undefined]);
      await app.features.jobs.runPending();
      return (await ask('GET', `/jobs/${made.body.job.id}`)).body;
    },
    download: (id, by = 'owner') =>
      fetch(`${app.url}/v1/projects/${app.projectId}/jobs/${id}/download`, { headers: callerOf(by) }),
    send,
    async sendTraces(count, more) {
      const ids = Array.from({ length: count }, () => `trace-${(sent += 1)}`);
      await send(ids, more);
      return ids;
    },
    async stored(ids) {
      const found = await Promise.all(ids.map((id) => ask('GET', `/traces/${id}`)));
      return ids.filter((_, index) => found[index]?.status === 200);
    },
  };
}
