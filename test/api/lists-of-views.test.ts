import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ViewRecord } from '../../src/contract/views.ts';
import { runs } from '../support/runs.ts';
import type { TestApp } from '../support/app.ts';
import { nowMs, shared, openViews } from './view-requests.ts';
import type { Caller, Views } from './view-requests.ts';

const secondMs = 1000;
const traceCount = 12;

let views: Views;
let app: TestApp;
let owner: Caller;
let member: Caller;
let key: Caller;
const call: Views['call'] = (...asked) => views.call(...asked);
const nameOf = () => views.nameOf();
const save: Views['save'] = (...saved) => views.save(...saved);

beforeAll(async () => {
  views = await openViews();
  ({ app } = views);
  ({ owner, member, key } = views.by);
  const pick = <T>(values: readonly T[], index: number) => values[index % values.length] as T;
  await app.send(
    Array.from({ length: traceCount }, (_, index) => ({
      type: 'span',
      traceId: `t${index}`,
      spanId: `s${index}`,
      name: pick(['answer', 'search'], index),
      kind: pick(['llm', 'tool', 'agent'], index),
      model: pick(['m1', 'm2', undefined], index),
      status: pick(['ok', 'error', 'ok', 'ok'], index),
      sessionId: pick(['a', 'b', 'c', 'd', 'e'], index),
      userId: pick(['ada', 'bo'], index >> 1),
      startTime: new Date(nowMs - (index + 2) * 60 * secondMs).toISOString(),
      endTime: new Date(nowMs - (index + 2) * 60 * secondMs + index * 100).toISOString(),
    })),
  );
});
afterAll(() => app.close());

/** The routes that take a filter, with what their views are of. */
const lists: ReadonlyArray<[path: string, on: ViewRecord['on'], query?: string]> = [
  ['traces', 'traces'],
  ['trace-counts', 'traces'],
  ['sessions', 'sessions'],
  ['users', 'traces'],
  ['spans', 'spans'],
  ['span-counts', 'spans'],
  ['facets', 'spans', 'on=spans&field=model&field=latency&'],
  ['facets', 'traces', 'on=traces&field=model&field=latency&'],
];

describe.each(lists)('view of GET %s (%s)', (path, on, query = '') => {
  const list = (by: Caller, parameters: Record<string, string>) =>
    call(by, 'GET', `/${path}?${query}${new URLSearchParams(parameters)}`);

  test('adds its filter by AND', async () => {
    const terms = [
      'name:answer',
      'kind:(llm OR tool)',
      'NOT user:ada',
      'status:error',
      'session:b OR model:m2',
      'started:>-10m',
      '',
    ];
    const term = fc.constantFrom(...terms);
    await fc.assert(
      fc.asyncProperty(term, term, async (filter, ofView) => {
        const { id } = await save(member, { on, filter: ofView });
        const both = [filter, ofView].filter((text) => text !== '').map((text) => `(${text})`);
        const viewed = await list(member, { view: id, filter });
        const conjunction = await list(member, { filter: both.join(' AND ') });
        expect(viewed.status, JSON.stringify(viewed.body)).toBe(200);
        expect(viewed.body).toEqual(conjunction.body);
        await call(member, 'DELETE', `/views/${id}`);
      }),
      { numRuns: runs({ usual: 2, nightly: 30 }) },
    );
    // The filter of a view alone narrows the list.
    const { id } = await save(member, { on, filter: 'kind:llm' });
    const [viewed, all] = [await list(member, { view: id }), await list(member, {})];
    expect(viewed.body).not.toEqual(all.body);
    expect((await list(member, { view: '' })).body).toEqual(all.body);
  });

  test('404 for a view that the caller cannot read, whatever else is wrong', async () => {
    const { id } = await save(member, { on });
    for (const by of [owner, key])
      for (const more of [{}, { filter: 'nothing:x' }, { range: 'nonsense' }, { nonsense: '1' }]) {
        const { status, body } = await list(by, { view: id, ...more } as Record<string, string>);
        expect([status, body.code, body.details?.[0].path]).toEqual([404, 'not_found', '/view']);
      }
    expect((await list(owner, { view: 'nothing' })).status).toBe(404);
    expect((await list(key, { view: (await save(member, { on, ...shared })).id })).status).toBe(200);
  });

  test('400 for a view of another list', async () => {
    for (const other of ['spans', 'traces', 'sessions'].filter((one) => one !== on)) {
      const { id } = await save(member, { on: other, ...shared });
      const { status, body } = await list(key, { view: id });
      expect([status, body.code, body.details[0].path]).toEqual([400, 'invalid_request', '/view']);
    }
  });

  test('400 with the path /view for a filter that a later release does not read', async () => {
    const { id } = await save(member, { on, ...shared });
    await sql`UPDATE views SET filter = 'gone:x' WHERE id = ${id}`.execute(app.stores.postgres.db);
    const { status, body } = await list(key, { view: id });
    expect([status, body.code, body.details[0].path]).toEqual([400, 'invalid_filter', '/view']);
    expect((await call(member, 'PATCH', `/views/${id}`, { name: nameOf() })).status).toBe(200);
  });
});

test('the pages of a list with a view have all of it, and a cursor belongs to its filter', async () => {
  for (const [path, on] of lists.filter(([name]) => ['traces', 'sessions', 'spans'].includes(name))) {
    const { id } = await save(member, { on, filter: 'kind:(llm OR tool)' });
    const read = async (parameters: Record<string, string>) =>
      (await call(member, 'GET', `/${path}?${new URLSearchParams({ view: id, ...parameters })}`)).body;
    const rows: unknown[] = [];
    const first = await read({ limit: '2' });
    for (let page = first; ; page = await read({ limit: '2', cursor: page.nextCursor })) {
      rows.push(...page[path]);
      if (page.nextCursor === null) break;
    }
    expect(rows).toEqual((await read({ limit: '200' }))[path]);
    expect(rows.length).toBeGreaterThan(2);
    await call(member, 'PATCH', `/views/${id}`, { filter: 'kind:llm' });
    expect((await read({ limit: '2', cursor: first.nextCursor })).code).toBe('invalid_request');
  }
});
