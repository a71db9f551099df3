import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { view } from '../../src/contract/views.ts';
import type { ViewRecord } from '../../src/contract/views.ts';
import type { TestApp } from '../support/app.ts';
import { nowMs, shared, openViews } from './view-requests.ts';
import type { Caller, Views } from './view-requests.ts';

const unknownId = '0197a000-0000-7000-8000-000000000009';
const secondMs = 1000;

let views: Views;
let app: TestApp;
let owner: Caller;
let member: Caller;
let otherMember: Caller;
let viewer: Caller;
let key: Caller;
const call: Views['call'] = (...asked) => views.call(...asked);
const nameOf = () => views.nameOf();
const save: Views['save'] = (...saved) => views.save(...saved);

beforeAll(async () => {
  views = await openViews();
  ({ app } = views);
  ({ owner, member, otherMember, viewer, key } = views.by);
});
afterAll(() => app.close());

/** Kinds, names and details of the audit entries about a view, oldest first. */
async function entriesOf(id: string) {
  const { body } = await app.get(`/v1/organizations/${app.organizationId}/audit-log?limit=200`);
  const { entries } = body as { entries: Array<{ kind: string; subject: string; detail: object; actor: { name: string } }> };
  return entries
    .filter(({ subject }) => subject === id)
    .map(({ kind, detail, actor }) => ({ kind, detail, by: actor.name }))
    .toReversed();
}

/** Removes every view, so that limits begin anew. */
const forgetAll = () => sql`DELETE FROM views`.execute(app.stores.postgres.db);

describe('POST views', () => {
  test('201 with the defaults', async () => {
    const name = nameOf();
    const { status, body } = await call(viewer, 'POST', '/views', { name, on: 'traces' });
    const now = new Date(nowMs).toISOString();
    expect(status).toBe(201);
    expect(view.strict().parse(body)).toEqual({
      id: body.id,
      name,
      on: 'traces',
      filter: '',
      columns: [],
      sort: null,
      range: null,
      visibility: 'private',
      pinned: false,
      createdBy: 'viewer@example.com',
      createdAt: now,
      updatedAt: now,
    });
    expect((await call(viewer, 'GET', `/views/${body.id}`)).body).toEqual(body);
  });

  test('201 with every field as it was given', async () => {
    const fields = {
      name: nameOf(),
      on: 'spans',
      filter: 'kind:llm  latency:>2s',
      columns: ['name', 'score.tone', 'metadata.a'],
      sort: '-score.tone',
      range: '6h',
      visibility: 'project',
      pinned: true,
    };
    expect(await save(member, fields)).toMatchObject(fields);
  });

  test.each<[string, object, string]>([
    ['without a name', { name: undefined }, '/name'],
    ['with an empty name', { name: '  ' }, '/name'],
    ['with a name of 101 characters', { name: 'x'.repeat(101) }, '/name'],
    ['without on', { on: undefined }, '/on'],
    ['of another list', { on: 'users' }, '/on'],
    ['with a range that is none', { range: '2w' }, '/range'],
    ['with a range that is too long', { range: '366d' }, '/range'],
    ['with an order of another list', { sort: 'ttft' }, '/sort'],
    ['of spans with an unknown order', { on: 'spans', sort: 'name' }, '/sort'],
    ['of sessions with an order', { on: 'sessions', sort: '-startTime' }, '/sort'],
    ['with a column that is no text', { columns: [1] }, '/columns/0'],
    ['with another visibility', { visibility: 'organization' }, '/visibility'],
  ])('400 %s', async (_what, fields, path) => {
    const { status, body } = await call(owner, 'POST', '/views', { name: nameOf(), on: 'traces', ...fields });
    expect([status, body.code, body.details[0].path]).toEqual([400, 'invalid_request', path]);
  });

  test('400 for an unknown field', async () => {
    expect((await call(owner, 'POST', '/views', { name: nameOf(), on: 'traces', colour: 'red' })).status).toBe(400);
  });

  test.each([
    ['traces', 'latncy:>2s', { start: 0, end: 6, suggestion: 'latency' }],
    ['spans', 'name:a spans:>3', { start: 7, end: 12 }],
    ['sessions', 'latency:fast', { start: 8, end: 12 }],
    ['traces', 'x'.repeat(4001), { start: 4000, end: 4001 }],
  ])('400 for a filter that is none of %s', async (on, filter, at) => {
    const { status, body } = await call(owner, 'POST', '/views', { name: nameOf(), on, filter });
    expect([status, body.code]).toEqual([400, 'invalid_filter']);
    expect(body.details).toMatchObject([{ path: '/filter', ...at }]);
  });

  test.each([
    ['traces', 'spans:>3 any(kind:llm)'],
    ['sessions', 'spans:>3'],
    ['spans', 'trace.spans:>3'],
  ])('a filter of %s has the fields of its list', async (on, filter) => {
    expect(await save(owner, { on, filter })).toMatchObject({ on, filter });
  });

  test('401 without credentials, 403 with a key', async () => {
    const body = { name: nameOf(), on: 'traces' };
    expect((await call({}, 'POST', '/views', body)).status).toBe(403);
    expect((await call(key, 'POST', '/views', body)).status).toBe(403);
    expect((await call({}, 'GET', '/views')).status).toBe(401);
  });

  test('403 for a view of the project by a viewer', async () => {
    const { status, body } = await call(viewer, 'POST', '/views', { name: nameOf(), on: 'traces', ...shared });
    expect([status, body.code]).toEqual([403, 'forbidden']);
  });

  test('409 for a name that the project has, also at the same time', async () => {
    const fields = { name: nameOf(), on: 'traces', ...shared };
    const answers = await Promise.all([owner, member, otherMember].map((by) => call(by, 'POST', '/views', fields)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
    expect(answers.find(({ status }) => status === 409)?.body.code).toBe('conflict');
    // A private one of the name is another.
    await save(member, { ...fields, visibility: 'private' });
  });

  test("409 for a name among the own private views, and 201 among another person's", async () => {
    const fields = { name: nameOf() };
    await save(member, fields);
    const again = await call(member, 'POST', '/views', { ...fields, on: 'spans' });
    expect([again.status, again.body.code]).toEqual([409, 'conflict']);
    await save(otherMember, fields);
  });
});

describe('GET views', () => {
  test('pinned ones first, then by name, of the project and the own private ones', async () => {
    await forgetAll();
    const make = (by: Caller, name: string, fields: object) => save(by, { name, ...fields });
    await make(member, 'b', {});
    await make(member, 'Z', { ...shared, on: 'spans' });
    await make(otherMember, 'a', shared);
    await make(otherMember, 'hidden', {});
    await make(member, 'c', { pinned: true });
    await make(otherMember, 'é', { ...shared, pinned: true });
    const namesFor = async (by: Caller, query = '') => {
      const { status, body } = await call(by, 'GET', `/views${query}`);
      expect(status).toBe(200);
      return body.views.map(({ name }: ViewRecord) => name);
    };
    expect(await namesFor(member)).toEqual(['c', 'é', 'Z', 'a', 'b']);
    expect(await namesFor(otherMember)).toEqual(['é', 'Z', 'a', 'hidden']);
    expect(await namesFor(key)).toEqual(['é', 'Z', 'a']);
    expect(await namesFor(member, '?on=traces')).toEqual(['c', 'é', 'a', 'b']);
    const pages: string[] = [];
    for (let cursor: string | null = null, first = true; first || cursor !== null; first = false) {
      const query = new URLSearchParams({ limit: '2', ...(cursor === null ? {} : { cursor }) });
      const { body } = await call(member, 'GET', `/views?${query}`);
      pages.push(...body.views.map(({ name }: ViewRecord) => name));
      cursor = body.nextCursor;
    }
    expect(pages).toEqual(['c', 'é', 'Z', 'a', 'b']);
  });

  test("404 for somebody else's private view, for a key too, and for none", async () => {
    const { id } = await save(member);
    for (const by of [owner, otherMember, viewer, key]) expect((await call(by, 'GET', `/views/${id}`)).status).toBe(404);
    for (const missing of [unknownId, 'nothing']) expect((await call(member, 'GET', `/views/${missing}`)).status).toBe(404);
  });

  test('a view of the project is read by everyone', async () => {
    const made = await save(member, shared);
    for (const by of [owner, viewer, key])
      expect(await call(by, 'GET', `/views/${made.id}`)).toEqual({ status: 200, body: made });
  });
});

describe('PATCH views', () => {
  test('200 changes the given fields alone', async () => {
    const made = await save(member, { filter: 'name:a', columns: ['name'], sort: 'cost', range: '7d' });
    app.clock.advance(secondMs);
    const { status, body } = await call(member, 'PATCH', `/views/${made.id}`, { pinned: true, sort: null, columns: [] });
    const updatedAt = new Date(app.clock.now()).toISOString();
    expect({ status, body }).toEqual({ status: 200, body: { ...made, pinned: true, sort: null, columns: [], updatedAt } });
    expect((await call(member, 'GET', `/views/${made.id}`)).body).toEqual(body);
  });

  test('200 and the same record where nothing changes', async () => {
    const made = await save(member, shared);
    app.clock.advance(secondMs);
    expect(await call(member, 'PATCH', `/views/${made.id}`, { name: made.name })).toEqual({ status: 200, body: made });
    expect(await entriesOf(made.id)).toHaveLength(1);
  });

  test('400 for a filter or an order that its list does not take', async () => {
    const { id } = await save(member, { filter: 'spans:>3', sort: 'cost' });
    const wrong = await call(member, 'PATCH', `/views/${id}`, { filter: 'nothing:x' });
    expect([wrong.status, wrong.body.code]).toEqual([400, 'invalid_filter']);
    expect((await call(member, 'PATCH', `/views/${id}`, { on: 'spans' })).body.code).toBe('invalid_filter');
    expect((await call(member, 'PATCH', `/views/${id}`, { on: 'sessions' })).body.details).toMatchObject([{ path: '/sort' }]);
    expect((await call(member, 'PATCH', `/views/${id}`, { id: unknownId })).status).toBe(400);
  });

  test("404 for somebody else's private view, before anything else is looked at", async () => {
    const { id } = await save(member);
    for (const by of [owner, otherMember]) expect((await call(by, 'PATCH', `/views/${id}`, { nonsense: 1 })).status).toBe(404);
  });

  test('403 for a view of the project by a viewer, before the body is looked at', async () => {
    const { id } = await save(member, shared);
    expect((await call(viewer, 'PATCH', `/views/${id}`, { nonsense: 1 })).status).toBe(403);
    const own = await save(viewer);
    expect((await call(viewer, 'PATCH', `/views/${own.id}`, shared)).status).toBe(403);
    expect((await call(viewer, 'PATCH', `/views/${own.id}`, { pinned: true })).status).toBe(200);
  });

  test('any member changes a view of the project, and its maker alone makes it private', async () => {
    const { id } = await save(member, shared);
    expect((await call(otherMember, 'PATCH', `/views/${id}`, { filter: 'name:x' })).status).toBe(200);
    expect((await call(otherMember, 'PATCH', `/views/${id}`, { visibility: 'private' })).status).toBe(403);
    expect((await call(member, 'PATCH', `/views/${id}`, { visibility: 'private' })).status).toBe(200);
    expect((await call(otherMember, 'GET', `/views/${id}`)).status).toBe(404);
  });

  test('409 for a name that is taken where the view moves', async () => {
    const name = nameOf();
    await save(otherMember, { name, ...shared });
    const { id } = await save(member, { name });
    const taken = await call(member, 'PATCH', `/views/${id}`, shared);
    expect([taken.status, taken.body.code]).toEqual([409, 'conflict']);
    expect((await call(member, 'PATCH', `/views/${id}`, { ...shared, name: nameOf() })).status).toBe(200);
    await save(member, { name });
    expect((await call(member, 'PATCH', `/views/${id}`, { visibility: 'private', name })).status).toBe(409);
  });
});

describe('DELETE views', () => {
  test('204, and it is gone', async () => {
    const { id } = await save(viewer);
    expect((await call(viewer, 'DELETE', `/views/${id}`)).status).toBe(204);
    expect((await call(viewer, 'GET', `/views/${id}`)).status).toBe(404);
    expect((await call(viewer, 'DELETE', `/views/${id}`)).status).toBe(404);
  });

  test('404 for a private view of somebody else, 403 for one of the project by a viewer', async () => {
    const own = await save(member);
    expect((await call(owner, 'DELETE', `/views/${own.id}`)).status).toBe(404);
    const { id } = await save(member, shared);
    expect((await call(viewer, 'DELETE', `/views/${id}`)).status).toBe(403);
    expect((await call(otherMember, 'DELETE', `/views/${id}`)).status).toBe(204);
  });
});

describe('at most 200', () => {
  const fill = async (count: number, fields: object, by: Caller) => {
    const made = await save(by, fields);
    await sql`INSERT INTO views (id, project_id, name, subject, filter, columns, visibility, pinned, owner_id, created_by, created_at, updated_at)
      SELECT gen_random_uuid(), project_id, 'filled ' || n, subject, filter, columns, visibility, pinned, owner_id, created_by, created_at, updated_at
      FROM views, generate_series(1, ${count - 1}) AS n WHERE id = ${made.id}`.execute(app.stores.postgres.db);
    return made;
  };

  test.each([
    ['of a project', shared],
    ['private ones of a person', { visibility: 'private' }],
  ])('%s: 409, also at the same time', async (_whose, fields) => {
    await forgetAll();
    await fill(198, fields, member);
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => call(member, 'POST', '/views', { name: nameOf(), on: 'traces', ...fields })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 409, 409]);
    expect(answers.find(({ status }) => status === 409)?.body.code).toBe('conflict');
    // The others are counted apart.
    await save(otherMember, { visibility: 'private' });
    const other = fields.visibility === 'project' ? 'private' : 'project';
    const moved = await save(member, { visibility: other });
    expect((await call(member, 'PATCH', `/views/${moved.id}`, fields)).status).toBe(409);
    await forgetAll();
  });
});

test('views of the project are in the audit log, private ones are not', async () => {
  const own = await save(member, { filter: 'name:secret' });
  await call(member, 'PATCH', `/views/${own.id}`, { pinned: true });
  await call(member, 'DELETE', `/views/${own.id}`);
  expect(await entriesOf(own.id)).toEqual([]);

  const { id, name } = await save(member, { on: 'spans' });
  await call(member, 'PATCH', `/views/${id}`, shared);
  await call(otherMember, 'PATCH', `/views/${id}`, { name: `${name} too`, filter: 'kind:llm', pinned: false });
  await call(member, 'PATCH', `/views/${id}`, { visibility: 'private', name: 'own' });
  const by = 'member@example.com';
  expect(await entriesOf(id)).toEqual([
    { kind: 'view.changed', by, detail: { name, on: 'spans', visibility: 'project', changed: ['visibility'] } },
    {
      kind: 'view.changed',
      by: 'other@example.com',
      detail: { name: `${name} too`, on: 'spans', visibility: 'project', changed: ['name', 'filter'] },
    },
    {
      kind: 'view.changed',
      by,
      detail: { name: `${name} too`, on: 'spans', visibility: 'private', changed: ['name', 'visibility'] },
    },
  ]);
  const made = await save(member, shared);
  await call(member, 'DELETE', `/views/${made.id}`);
  const detail = { name: made.name, on: 'traces' };
  expect(await entriesOf(made.id)).toEqual([
    { kind: 'view.created', by, detail },
    { kind: 'view.deleted', by, detail },
  ]);
});
