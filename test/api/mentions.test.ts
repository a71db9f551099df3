import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { owner } from '../support/app.ts';
import type { TestApp } from '../support/app.ts';
import { openComments } from './comment-requests.ts';
import type { Caller, Comments, Mention } from './comment-requests.ts';

const uuid = '0197d000-0000-7000-8000-000000000001';
let service: Comments;
let app: TestApp;
let receiver: Comments['receiver'];
let people: Comments['people'];
const call: Comments['call'] = (...asked) => service.call(...asked);
const person: Comments['person'] = (name) => service.person(name);
const runOwnJob: Comments['runOwnJob'] = (name) => service.runOwnJob(name);
const by: Comments['by'] = (who) => service.by(who);
const post: Comments['post'] = (...asked) => service.post(...asked);
const written: Comments['written'] = (...asked) => service.written(...asked);
const change: Comments['change'] = (...asked) => service.change(...asked);
const remove: Comments['remove'] = (...asked) => service.remove(...asked);
const mentionsOf: Comments['mentionsOf'] = (...asked) => service.mentionsOf(...asked);

beforeAll(async () => {
  service = await openComments();
  ({ app, receiver, people } = service);
});
afterAll(() => service.close());

describe('a mention', () => {
  const readAll = (who: Caller, body?: object) => call('POST', '/v1/me/mentions/read', by(who), body);

  test('of a member by email is told once, by mail and in the list, until it is read', async () => {
    receiver.received.length = 0;
    const text = 'Ask @Other@Example.com, or _@viewer@example.com_. Not @nobody@example.com nor mail other@example.com!';
    const { id, mentions } = await written({ traceId: 't1', spanId: 'call', body: text });
    expect(mentions.toSorted()).toEqual([people.other.userId, people.viewer.userId].toSorted());
    const mention = {
      commentId: id,
      projectId: app.projectId,
      traceId: 't1',
      spanId: 'call',
      author: { id: people.member.userId, name: 'member' },
      excerpt: text,
      createdAt: new Date(app.clock.now()).toISOString(),
      readAt: null,
    };
    for (const who of ['other', 'viewer'] as const)
      expect(await mentionsOf(who, '?unread=true')).toEqual({ mentions: [mention], nextCursor: null });
    expect((await mentionsOf('member')).mentions).toEqual([]);
    await runOwnJob('mention-mail');
    expect(receiver.received).toEqual([]);
    app.clock.advance(2_000);
    await runOwnJob('mention-mail');
    await runOwnJob('mention-mail');
    expect(receiver.received.map(({ to }) => to).toSorted()).toEqual([['other@example.com'], ['viewer@example.com']]);
    const [mail] = receiver.received;
    expect(mail?.parsed.subject).toBe('member mentioned you in Spanwise');
    expect(mail?.parsed.text).toContain(`> ${text}`);
    expect(mail?.parsed.text).toMatch(new RegExp(`/o/[^/]+/p/[^/]+/traces/t1\\?span=call&comment=${id}`));

    expect((await change(id, { body: `${text} And @admin@example.com.` })).body.comment.mentions).toHaveLength(3);
    app.clock.advance(2_000);
    await runOwnJob('mention-mail');
    expect(receiver.received.at(-1)?.to).toEqual(['admin@example.com']);
    expect(receiver.received).toHaveLength(3);

    expect((await readAll('other', { commentIds: [uuid] })).status).toBe(204);
    expect((await mentionsOf('other', '?unread=true')).mentions).toHaveLength(1);
    expect((await readAll('other', { commentIds: [id] })).status).toBe(204);
    expect((await mentionsOf('other', '?unread=true')).mentions).toEqual([]);
    expect((await mentionsOf('other')).mentions).toMatchObject([
      { commentId: id, readAt: new Date(app.clock.now()).toISOString() },
    ]);
    expect((await mentionsOf('viewer', '?unread=true')).mentions).toHaveLength(1);
    expect((await readAll('viewer')).status).toBe(204);
    expect((await mentionsOf('viewer', '?unread=true')).mentions).toEqual([]);

    await change(id, { body: 'nobody' });
    expect((await mentionsOf('other')).mentions).toEqual([]);
    expect((await remove(id)).status).toBe(204);
  });

  test('is listed newest first, by pages', async () => {
    const ids: string[] = [];
    for (let number = 0; number < 3; number++) {
      app.clock.advance(1_000);
      ids.unshift((await written({ traceId: 't2', body: `${number} @${owner.email}` }, 'owner')).id);
    }
    const first = await mentionsOf('owner', '?limit=2');
    const second = await mentionsOf('owner', `?limit=2&cursor=${first.nextCursor}`);
    expect([...first.mentions, ...second.mentions].map(({ commentId }) => commentId)).toEqual(ids);
    expect(second.nextCursor).toBeNull();
    for (const id of ids) await remove(id, 'owner');
    expect((await mentionsOf('owner')).mentions).toEqual([]);
  });

  test('is seen and mailed no more by who has left', async () => {
    receiver.received.length = 0;
    const leaver = await person('leaver');
    receiver.received.length = 0;
    const { id, mentions } = await written({ traceId: 't2', body: '@leaver@example.com' });
    expect(mentions).toEqual([leaver.userId]);
    const path = `/v1/organizations/${app.organizationId}/members/${leaver.userId}`;
    expect((await call('DELETE', path, by('owner'))).status).toBe(204);
    expect((await call<{ mentions: Mention[] }>('GET', '/v1/me/mentions', { cookie: leaver.cookie })).body.mentions).toEqual([]);
    app.clock.advance(2_000);
    await runOwnJob('mention-mail');
    expect(receiver.received).toEqual([]);
    await remove(id);
  });

  test('of more than 50 people is refused', async () => {
    const { db } = app.stores.postgres;
    await sql`INSERT INTO users (id, email, name, password_hash, created_at)
      SELECT gen_random_uuid(), 'many' || n || '@example.com', 'many', '', now() FROM generate_series(1, 51) AS n`.execute(db);
    await sql`INSERT INTO memberships (organization_id, user_id, role, created_at)
      SELECT ${app.organizationId}::uuid, id, 'viewer', now() FROM users WHERE name = 'many'`.execute(db);
    const named = (count: number) => Array.from({ length: count }, (_, index) => `@many${index + 1}@example.com`).join(' ');
    expect(await post({ traceId: 't2', body: named(51) })).toMatchObject({ status: 400, body: { details: [{ path: '/body' }] } });
    const { id, mentions } = await written({ traceId: 't2', body: named(50) });
    expect(mentions).toHaveLength(50);
    await remove(id);
  });

  test('is a mark alone after 30 within an hour', async () => {
    app.clock.advance(3_600_000);
    receiver.received.length = 0;
    const ids: string[] = [];
    for (let number = 0; number < 31; number++)
      ids.push((await written({ traceId: 't2', body: `${number} @other@example.com` })).id);
    app.clock.advance(2_000);
    await runOwnJob('mention-mail');
    expect(receiver.received).toHaveLength(30);
    expect((await mentionsOf('other', '?unread=true&limit=200')).mentions).toHaveLength(31);
    for (const id of ids) await remove(id);
    app.clock.advance(3_600_000);
  });

  test('whose mail is refused is tried again, later each time', async () => {
    receiver.received.length = 0;
    receiver.refused.add('other@example.com');
    const { id } = await written({ traceId: 't2', body: '@other@example.com' });
    for (const [waitMs, mails] of [
      [2_000, 0],
      [29_000, 0],
      [1_000, 1],
      [600_000, 1],
    ] as const) {
      app.clock.advance(waitMs);
      if (waitMs === 29_000) receiver.refused.clear();
      await runOwnJob('mention-mail');
      expect(receiver.received).toHaveLength(mails);
    }
    await remove(id);
  });
});
