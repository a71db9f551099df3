import { expect } from 'vitest';
import type { ViewRecord } from '../../src/contract/views.ts';
import { addMember } from '../support/add-member.ts';
import { startTestApp } from '../support/app.ts';
import type { TestApp } from '../support/app.ts';

export const nowMs = Date.UTC(2026, 10, 20, 10);

/** The headers of one caller's requests. */
export type Caller = Readonly<Record<string, string>>;

interface Answer {
  status: number;
  // Tests compare the fields that they expect.
  body: ReturnType<typeof JSON.parse>;
}

/** A service with two members and a viewer. */
export interface Views {
  app: TestApp;
  by: Readonly<Record<'owner' | 'member' | 'otherMember' | 'viewer' | 'key', Caller>>;
  /** The path is below `/v1/projects/{id}`. */
  call(by: Caller, method: string, path: string, body?: unknown): Promise<Answer>;
  /** A name that no view has. */
  nameOf(): string;
  /** Saves a view, of traces by default. */
  save(by: Caller, fields?: object): Promise<ViewRecord>;
}

/** Fields of a view that everyone reads. */
export const shared = { visibility: 'project' };

/** Starts a service. The caller closes `app`. */
export async function openViews(): Promise<Views> {
  const app = await startTestApp(nowMs);
  const owner = { cookie: app.cookie };
  const join = async (email: string, role: string) => {
    const person = { email, name: email, role, password: 'a password of theirs' };
    const { cookie } = await addMember(app.url, owner, app.organizationId, person);
    return { cookie };
  };
  const by = {
    owner,
    member: await join('member@example.com', 'member'),
    otherMember: await join('other@example.com', 'member'),
    viewer: await join('viewer@example.com', 'viewer'),
    key: { 'x-api-key': app.apiKey },
  };
  const call: Views['call'] = async (caller, method, path, body) => {
    const answer = await fetch(`${app.url}/v1/projects/${app.projectId}${path}`, {
      method,
      headers: { ...caller, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, body: text === '' ? null : JSON.parse(text) };
  };
  let named = 0;
  const nameOf = () => `view ${++named}`;
  return {
    app,
    by,
    call,
    nameOf,
    async save(caller, fields = {}) {
      const { status, body } = await call(caller, 'POST', '/views', { name: nameOf(), on: 'traces', ...fields });
      expect(status, JSON.stringify(body)).toBe(201);
      return body as ViewRecord;
    },
  };
}
