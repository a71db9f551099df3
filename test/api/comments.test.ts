import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dayMs } from '../../src/contract/durations.ts';
import { owner } from '../support/app.ts';
import type { TestApp } from '../support/app.ts';
import { openComments, spansOf } from './comment-requests.ts';
import type { Comment, Comments } from './comment-requests.ts';

let service: Comments;
let app: TestApp;
let people: Comments['people'];
const call: Comments['call'] = (...asked) => service.call(...asked);
const runOwnJob: Comments['runOwnJob'] = (name) => service.runOwnJob(name);
const comments: Comments['comments'] = () => service.comments();
const by: Comments['by'] = (who) => service.by(who);
const post: Comments['post'] = (...asked) => service.post(...asked);
const written: Comments['written'] = (...asked) => service.written(...asked);
const list: Comments['list'] = (...asked) => service.list(...asked);
const change: Comments['change'] = (...asked) => service.change(...asked);
const remove: Comments['remove'] = (...asked) => service.remove(...asked);
const mentionsOf: Comments['mentionsOf'] = (...asked) => service.mentionsOf(...asked);

beforeAll(async () => {
  service = await openComments();
  ({ app, people } = service);
});
afterAll(() => service.close());

async function found(on: 'spans' | 'traces', filter: string): Promise<string[]> {
  const { body } = await call<Record<string, Array<{ spanId?: string; traceId: string }>>>(
    'GET',
    `/v1/projects/${app.projectId}/${on}?${new URLSearchParams({ filter })}`,
    by('owner'),
  );
  return (body[on] ?? []).map(({ spanId, traceId }) => (spanId === undefined ? traceId : `${traceId}/${spanId}`));
}
async function audited(subject: string): Promise<Array<{ kind: string; detail: object }>> {
  const { body } = await call<{ entries: Array<{ kind: string; subject: string; detail: object }> }>(
    'GET',
    `/v1/organizations/${app.organizationId}/audit-log?kind=comment.deleted`,
    by('owner'),
  );
  return body.entries.filter((entry) => entry.subject === subject);
}

describe('a comment', () => {
  test('is written on a trace or a span, and read oldest first', async () => {
    const first = await written({ traceId: 't1', body: 'Why **two** calls?' });
    expect(first).toEqual({
      id: expect.any(String),
      traceId: 't1',
      spanId: null,
      body: 'Why **two** calls?',
      anchor: null,
      author: { id: people.member.userId, name: 'member' },
      createdAt: new Date(app.clock.now()).toISOString(),
      editedAt: null,
      resolvedAt: null,
      mentions: [],
    });
    app.clock.advance(1_000);
    const anchor = { field: 'output', path: 'messages.0.content', start: 3, end: 9 };
    const second = await written({ traceId: 't1', spanId: 'call', body: 'x'.repeat(10_000), anchor }, 'owner');
    expect(second).toMatchObject({ spanId: 'call', anchor });
    for (const who of ['viewer', 'member', 'owner'] as const)
      expect(await list('t1', who)).toMatchObject({ status: 200, body: { comments: [first, second], nextCursor: null } });
    const page = await list('t1', 'viewer', '&limit=1');
    expect(page.body.comments).toEqual([first]);
    const next = await list('t1', 'viewer', `&limit=1&cursor=${page.body.nextCursor}`);
    expect(next.body).toEqual({ comments: [second], nextCursor: null });
    expect((await list('t2')).body.comments).toEqual([]);
  });

  test('takes its trace in the query too', async () => {
    const answer = await call<{ comment: Comment }>('POST', `${comments()}?traceId=t2`, by('member'), {
      traceId: 't2',
      body: 'here',
    });
    expect(answer.status).toBe(201);
    expect((await remove(answer.body.comment.id)).status).toBe(204);
    expect((await call('POST', `${comments()}?traceId=t1`, by('member'), { traceId: 't2', body: 'here' })).status).toBe(400);
  });

  test('is edited by its author, resolved by anyone who may comment', async () => {
    const { id } = await written({ traceId: 't2', body: 'a' });
    app.clock.advance(1_000);
    const edited = await change(id, { body: 'b' });
    const editedAt = new Date(app.clock.now()).toISOString();
    expect(edited).toMatchObject({ status: 200, body: { comment: { body: 'b', editedAt, resolvedAt: null } } });
    expect(await change(id, { body: 'c' }, 'owner')).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    expect((await change(id, { body: 'c', resolved: true }, 'other')).status).toBe(403);
    app.clock.advance(1_000);
    const resolvedAt = new Date(app.clock.now()).toISOString();
    const resolved = await change(id, { resolved: true }, 'other');
    expect(resolved).toMatchObject({ status: 200, body: { comment: { body: 'b', editedAt, resolvedAt } } });
    app.clock.advance(1_000);
    expect((await change(id, { resolved: true, body: 'b' })).body.comment).toMatchObject({ editedAt, resolvedAt });
    expect((await change(id, { resolved: false })).body.comment).toMatchObject({ resolvedAt: null });
    expect((await remove(id)).status).toBe(204);
  });

  test('is deleted by its author or an admin, which is recorded', async () => {
    const own = await written({ traceId: 't2', spanId: 'root', body: 'own' });
    expect((await remove(own.id, 'other')).status).toBe(403);
    expect((await remove(own.id)).status).toBe(204);
    expect((await remove(own.id)).status).toBe(404);
    const theirs = await written({ traceId: 't2', body: 'theirs' });
    expect((await remove(theirs.id, 'admin')).status).toBe(204);
    expect((await list('t2')).body.comments).toEqual([]);
    const author = { authorId: people.member.userId, author: 'member', traceId: 't2' };
    expect(await audited(own.id)).toMatchObject([{ detail: { ...author, spanId: 'root', own: true } }]);
    expect(await audited(theirs.id)).toMatchObject([{ detail: { ...author, spanId: null, own: false } }]);
  });
});

describe('who may', () => {
  test.each([
    ['key', 403],
    ['nobody', 403],
    ['viewer', 403],
  ] as const)('%s does not write: %i', async (who, status) => {
    const { id } = await written({ traceId: 't2', body: 'a' });
    expect(await post({ traceId: 't2', body: 'a' }, who)).toMatchObject({ status, body: { code: 'forbidden' } });
    expect((await change(id, { resolved: true }, who)).status).toBe(status);
    expect((await remove(id, who)).status).toBe(status);
    expect((await remove(id)).status).toBe(204);
  });

  test('keys and strangers do not read: 403', async () => {
    for (const who of ['key', 'nobody'] as const) {
      expect((await list('t1', who)).status).toBe(403);
      expect((await call('GET', '/v1/me/mentions', by(who))).status).toBe(403);
      expect((await call('POST', '/v1/me/mentions/read', by(who))).status).toBe(403);
    }
  });
});

const uuid = '0197d000-0000-7000-8000-000000000001';
test.each([
  ['a trace that is not there', () => post({ traceId: 'unknown', body: 'a' })],
  ['a span that is not there', () => post({ traceId: 't1', spanId: 'unknown', body: 'a' })],
  ['the comments of a trace that is not there', () => list('unknown')],
  ['a comment that is not there, before its body is checked', () => change(uuid, { other: 1 })],
  ['an id that is none', () => change('x', { resolved: true })],
  ['the deletion of a comment that is not there', () => remove(uuid)],
])('404: %s', async (_what, send) => {
  expect(await send()).toMatchObject({ status: 404, body: { code: 'not_found' } });
});

test.each<[string, object]>([
  ['no body', { traceId: 't1' }],
  ['an empty body', { traceId: 't1', body: '' }],
  ['a blank body', { traceId: 't1', body: ' \n ' }],
  ['a long body', { traceId: 't1', body: 'x'.repeat(10_001) }],
  ['a body with NUL', { traceId: 't1', body: 'a\0b' }],
  ['half a surrogate', { traceId: 't1', body: 'a\ud800' }],
  ['no trace', { body: 'a' }],
  ['a trace id that is none', { traceId: 'a b', body: 'a' }],
  ['a field that is none', { traceId: 't1', body: 'a', author: 'x' }],
  ['an anchor elsewhere', { traceId: 't1', body: 'a', anchor: { field: 'metadata' } }],
  ['an anchor that ends at its beginning', { traceId: 't1', body: 'a', anchor: { field: 'input', end: 0 } }],
  ['an anchor of nothing', { traceId: 't1', body: 'a', anchor: { field: 'input', start: 3, end: 3 } }],
  ['an anchor that begins before the text', { traceId: 't1', body: 'a', anchor: { field: 'input', start: -1, end: 3 } }],
  ['an anchor with another field', { traceId: 't1', body: 'a', anchor: { field: 'input', line: 1 } }],
])('400: %s', async (_what, body) => {
  expect(await post(body)).toMatchObject({ status: 400, body: { code: 'invalid_request', details: [{}] } });
});

test('400: changes of nothing, other queries, and reads of what is no id', async () => {
  const { id } = await written({ traceId: 't2', body: 'a' });
  for (const body of [{}, { body: '' }, { resolved: 'yes' }, { anchor: null }]) expect((await change(id, body)).status).toBe(400);
  expect((await remove(id)).status).toBe(204);
  for (const query of ['', '?traceId=t1&limit=201', '?traceId=t1&cursor=x', '?traceId=t1&spanId=root'])
    expect((await call('GET', `${comments()}${query}`, by('owner'))).status, query).toBe(400);
  for (const query of ['?unread=1', '?limit=0'])
    expect((await call('GET', `/v1/me/mentions${query}`, by('owner'))).status).toBe(400);
  for (const body of [{ commentIds: ['x'] }, { ids: [] }, { commentIds: 1 }])
    expect((await call('POST', '/v1/me/mentions/read', by('owner'), body)).status).toBe(400);
});

describe('commented', () => {
  test('finds spans with comments of their own, and traces with any, at once', async () => {
    await app.send(['c1', 'c2', 'c3'].flatMap((traceId) => spansOf(traceId)));
    const onTrace = await written({ traceId: 'c1', body: 'a' });
    const onSpan = await written({ traceId: 'c2', spanId: 'call', body: 'a' });
    const ofThese = 'trace:c*';
    expect(await found('spans', `commented:true ${ofThese}`)).toEqual(['c2/call']);
    expect((await found('traces', `commented:true ${ofThese}`)).toSorted()).toEqual(['c1', 'c2']);
    expect(await found('traces', `commented:false ${ofThese}`)).toEqual(['c3']);
    await remove(onSpan.id);
    expect(await found('spans', `commented:true ${ofThese}`)).toEqual([]);
    expect(await found('traces', `commented:true ${ofThese}`)).toEqual(['c1']);
    await remove(onTrace.id);
  });

  test('finds what a request could not write to ClickHouse, once the job has run', async () => {
    const { db } = app.stores.postgres;
    const { clickhouse } = app.stores;
    await runOwnJob('write-comments');
    const kept = await written({ traceId: 'c1', body: 'a' });
    const deleted = await written({ traceId: 'c2', body: 'a' });
    await remove(deleted.id);
    // As after a crash between the commit and the write.
    await clickhouse.command('TRUNCATE TABLE comments');
    expect(await found('traces', 'commented:true trace:c*')).toEqual([]);
    await runOwnJob('write-comments');
    expect(await found('traces', 'commented:true trace:c*')).toEqual(['c1']);
    expect(await db.selectFrom('comment_rows').selectAll().execute()).toEqual([]);
    await runOwnJob('write-comments');
    await remove(kept.id);
  });
});

describe('with its trace', () => {
  test('a comment is deleted; the trace sent again has none', async () => {
    await app.send(spansOf('gone'));
    await written({ traceId: 'gone', body: `@${owner.email}` });
    await written({ traceId: 'gone', spanId: 'call', body: 'a' });
    expect((await mentionsOf('owner')).mentions).toHaveLength(1);
    expect((await call('DELETE', `/v1/projects/${app.projectId}/traces/gone`, by('owner'))).status).toBe(204);
    expect((await list('gone')).status).toBe(404);
    expect((await post({ traceId: 'gone', body: 'a' })).status).toBe(404);
    expect((await mentionsOf('owner')).mentions).toEqual([]);
    await app.send(spansOf('gone'));
    expect((await list('gone')).body.comments).toEqual([]);
    expect(await found('traces', 'commented:true trace:gone')).toEqual([]);
  });

  test('a comment expires; while a newer record is there it stays', async () => {
    const { db } = app.stores.postgres;
    await sql`UPDATE organizations SET plan = 'free'`.execute(db);
    const nowMs = app.clock.now();
    await app.send([...spansOf('old', nowMs - 10 * dayMs), ...spansOf('long', nowMs - 10 * dayMs)]);
    await written({ traceId: 'old', body: `@${owner.email}` }, 'owner');
    const kept = await written({ traceId: 'long', body: `@${owner.email}` }, 'owner');
    app.clock.advance(3 * dayMs);
    await app.send(spansOf('long', app.clock.now()).map((span) => ({ ...span, spanId: `late-${span.spanId}` })));
    app.clock.advance(2 * dayMs);
    expect((await list('old', 'owner')).status).toBe(404);
    expect((await mentionsOf('owner')).mentions).toEqual([]);
    await runOwnJob('comment-retention');
    expect((await list('long', 'owner')).body.comments).toEqual([kept]);
    expect((await mentionsOf('owner')).mentions).toMatchObject([{ commentId: kept.id }]);
    const stored = () => sql<{ trace_id: string }>`SELECT trace_id FROM comments WHERE trace_id IN ('old', 'long')`.execute(db);
    expect((await stored()).rows).toEqual([{ trace_id: 'long' }]);
    // Older than the plan's retention itself.
    app.clock.advance(10 * dayMs);
    await app.send(spansOf('long', app.clock.now()));
    expect((await list('long', 'owner')).body.comments).toEqual([]);
    expect((await change(kept.id, { resolved: true }, 'owner')).status).toBe(404);
    await runOwnJob('comment-retention');
    expect((await stored()).rows).toEqual([]);
  });
});
