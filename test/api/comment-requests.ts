import { expect } from 'vitest';
import { openSmtpReceiver } from '../../src/platform/mail/smtp-receiver.fixture.ts';
import type { SmtpReceiver } from '../../src/platform/mail/smtp-receiver.fixture.ts';
import { startTestApp } from '../support/app.ts';
import type { TestApp } from '../support/app.ts';

const startMs = Date.UTC(2026, 10, 21, 13);

type Headers = Readonly<Record<string, string>>;
export interface Answer<T = never> {
  status: number;
  body: T & { code?: string; details?: unknown };
}
export interface Comment {
  id: string;
  traceId: string;
  spanId: string | null;
  body: string;
  anchor: object | null;
  author: { id: string; name: string };
  createdAt: string;
  editedAt: string | null;
  resolvedAt: string | null;
  mentions: string[];
}
export interface Mention {
  commentId: string;
  readAt: string | null;
}

interface Person {
  userId: string;
  cookie: string;
}
const names = ['admin', 'member', 'other', 'viewer'] as const;
/** Who sends a request: a person of the organization (`other` is a second member), a key, or nobody. */
export type Caller = (typeof names)[number] | 'owner' | 'key' | 'nobody';

/** A service with two traces, `t1` and `t2`, people of each role, and what receives their mail. */
export interface Comments {
  app: TestApp;
  receiver: SmtpReceiver;
  people: Readonly<Record<(typeof names)[number], Person>>;
  /** Makes a member with a session of their own. */
  person(name: string): Promise<Person>;
  /** Runs a job of the feature once. */
  runOwnJob(name: string): Promise<void>;
  /** The path of the project's comments. */
  comments(): string;
  by(who: Caller): Headers;
  call<T = never>(method: string, path: string, by: Headers, body?: unknown): Promise<Answer<T>>;
  /** Requests by the member, reads by the viewer, unless somebody else is named. */
  post(body: object, who?: Caller): Promise<Answer<{ comment: Comment }>>;
  written(body: object, who?: Caller): Promise<Comment>;
  list(traceId: string, who?: Caller, query?: string): Promise<Answer<{ comments: Comment[]; nextCursor: string | null }>>;
  change(id: string, body: unknown, who?: Caller): Promise<Answer<{ comment: Comment }>>;
  remove(id: string, who?: Caller): Promise<Answer>;
  mentionsOf(who: Caller, query?: string): Promise<{ mentions: Mention[]; nextCursor: string | null }>;
  close(): Promise<void>;
}

/** A root and a call in it. */
export const spansOf = (traceId: string, atMs = startMs - 1_000) =>
  ['root', 'call'].map((spanId) => ({
    type: 'span',
    traceId,
    spanId,
    ...(spanId === 'root' ? {} : { parentSpanId: 'root' }),
    name: spanId,
    startTime: new Date(atMs).toISOString(),
  }));

async function runJob(jobs: TestApp['features']['comments']['jobs'], name: string): Promise<void> {
  const job = jobs?.find((one) => one.name === name);
  if (!job) throw new Error(`no job ${name}`);
  await job.run(new AbortController().signal);
}

/** Starts the service. */
export async function openComments(): Promise<Comments> {
  const receiver = await openSmtpReceiver();
  const app = await startTestApp(startMs, {
    SPANWISE_SMTP_URL: `smtp://127.0.0.1:${receiver.port}`,
    SPANWISE_MAIL_FROM: 'Spanwise <spanwise@example.net>',
  });
  const call: Comments['call'] = async <T>(method: string, path: string, caller: Headers, body?: unknown) => {
    const answer = await fetch(`${app.url}${path}`, {
      method,
      headers: { ...caller, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: answer.status === 204 ? null : await answer.json() } as Answer<T>;
  };
  const person = (name: string) => join(app, receiver, call, name);
  await app.send(['t1', 't2'].flatMap((traceId) => spansOf(traceId)));
  const people = {
    admin: await person('admin'),
    member: await person('member'),
    other: await person('other'),
    viewer: await person('viewer'),
  };
  const comments = () => `/v1/projects/${app.projectId}/comments`;
  const by: Comments['by'] = (who) => {
    if (who === 'nobody') return {};
    if (who === 'key') return { 'x-api-key': app.apiKey };
    return { cookie: who === 'owner' ? app.cookie : people[who].cookie };
  };
  const post: Comments['post'] = (body, who = 'member') => call('POST', comments(), by(who), body);
  return {
    app,
    receiver,
    people,
    person,
    runOwnJob: (name) => runJob(app.features.comments.jobs, name),
    comments,
    by,
    call,
    post,
    async written(body, who) {
      const answer = await post(body, who);
      expect(answer.status, JSON.stringify(answer.body)).toBe(201);
      return answer.body.comment;
    },
    list: (traceId, who = 'viewer', query = '') =>
      call('GET', `${comments()}?traceId=${encodeURIComponent(traceId)}${query}`, by(who)),
    change: (id, body, who = 'member') => call('PATCH', `${comments()}/${id}`, by(who), body),
    remove: (id, who = 'member') => call('DELETE', `${comments()}/${id}`, by(who)),
    async mentionsOf(who, query = '') {
      const { status, body } = await call<{ mentions: Mention[]; nextCursor: string | null }>(
        'GET',
        `/v1/me/mentions${query}`,
        by(who),
      );
      expect(status).toBe(200);
      return body;
    },
    async close() {
      await app.close();
      await receiver.close();
    },
  };
}

/** Makes a member through an invitation whose link is taken from its mail. */
async function join(app: TestApp, receiver: SmtpReceiver, call: Comments['call'], name: string): Promise<Person> {
  const role = name === 'other' || name === 'leaver' ? 'member' : name;
  const invitations = `/v1/organizations/${app.organizationId}/invitations`;
  const invited = await call('POST', invitations, { cookie: app.cookie }, { email: `${name}@example.com`, role });
  expect(invited.status).toBe(201);
  await runJob(app.features.identity.jobs, 'account-mail');
  const link = /invite\/(\w+)/.exec(receiver.received.at(-1)?.parsed.text ?? '')?.[1];
  const accepted = await fetch(`${app.url}/v1/invitations/accept`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token: link, name, password: 'a password of theirs' }),
  });
  const { user } = (await accepted.json()) as { user: { id: string } };
  return { userId: user.id, cookie: accepted.headers.getSetCookie()[0]?.split(';')[0] ?? '' };
}
