import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ServiceError } from '../../contract/errors.ts';
import { embeddedBackend } from '../postgres/postgres-backends.fixture.ts';
import type { TestDatabase } from '../postgres/postgres-backends.fixture.ts';
import type { Postgres } from '../postgres/postgres.ts';
import type { Tables } from '../postgres/tables.ts';
import { compareCodePoints } from '../text/index.ts';
import { byCreation, Keyset } from './index.ts';

type Things = {
  things: { id: string; created_at: Date; name: string; number: number };
};

const createdAt = '2026-11-20T10:00:00.000Z';
const idOf = (number: number): string => `0197a000-0000-7000-8000-${String(number).padStart(12, '0')}`;
const textOf = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

const byName = new Keyset([{ name: 't.name', type: 'text' }], 'desc');
const byNumber = new Keyset([{ name: 'number', type: 'integer' }]);

describe('a cursor', () => {
  it('holds the values of the columns', () => {
    const row = { id: idOf(1), created_at: new Date(createdAt) };
    expect(byCreation('asc').values(byCreation('asc').cursorAfter(row))).toEqual([createdAt, idOf(1)]);
    const early = { id: idOf(1), created_at: new Date('0001-01-01T00:00:00.000Z') };
    expect(byCreation('asc').values(byCreation('asc').cursorAfter(early))).toEqual(['0001-01-01T00:00:00.000Z', idOf(1)]);
    expect(byName.values(byName.cursorAfter({ name: '\u{1f600}"' }))).toEqual(['\u{1f600}"']);
    expect(byNumber.values(byNumber.cursorAfter({ number: 7 }))).toEqual([7]);
    expect(() => byNumber.cursorAfter({ name: 'a' })).toThrow('no value of number');
  });

  it.each([
    '',
    'x',
    '%00',
    textOf(null),
    textOf([]),
    textOf({}),
    textOf([createdAt]),
    textOf([createdAt, 'not-a-uuid']),
    textOf([createdAt, `${idOf(1)}\u0000`]),
    textOf([createdAt, idOf(1), 1]),
    textOf(['1', idOf(1)]),
    textOf(['2026-02-30T00:00:00.000Z', idOf(1)]),
    textOf(['0000-01-01T00:00:00.000Z', idOf(1)]),
    textOf(['-000001-01-01T00:00:00.000Z', idOf(1)]),
    textOf(['+010000-01-01T00:00:00.000Z', idOf(1)]),
    textOf([1, idOf(1)]),
  ])('of %j is refused', (cursor) => {
    expect(() => byCreation('desc').values(cursor)).toThrow(ServiceError);
    expect(() => byCreation('desc').values(cursor)).toThrow('The cursor is not valid');
  });

  it.each([[['a\0']], [['\ud800']], [[1]], [['a', 'b']]])('of %j is refused by a list by text', (values) => {
    expect(() => byName.values(textOf(values))).toThrow('The cursor is not valid');
  });

  it.each([[['1']], [[1.5]], [[-1]], [[2 ** 31]], [[]]])('of %j is refused by a list by number', (values) => {
    expect(() => byNumber.values(textOf(values))).toThrow('The cursor is not valid');
  });
});

describe('pages', () => {
  let database: TestDatabase;
  let postgres: Postgres;
  let db: Kysely<Tables & Things>;
  const names = ['', 'B', 'a', 'é', '\uffff', '\u{10000}', '\u{1f600}', 'a b'];
  const things = names.map((name, index) => ({
    id: idOf(index),
    // Three rows with each creation time.
    created_at: new Date(Date.parse(createdAt) + Math.floor(index / 3)),
    name,
    number: index,
  }));

  beforeAll(async () => {
    database = await embeddedBackend.create();
    postgres = await database.open();
    db = postgres.db.withTables<Things>();
    await sql`CREATE TABLE things (id uuid, created_at timestamptz, name text COLLATE "C", number integer)`.execute(db);
    await db.insertInto('things').values(things).execute();
  });
  afterAll(async () => {
    await postgres.close();
    await database.remove();
  });

  const orders: ReadonlyArray<[what: string, keyset: Keyset, expected: readonly string[]]> = [
    ['by creation', byCreation('asc'), names],
    ['by creation, newest first', byCreation('desc', { createdAt: 't.created_at', id: 't.id' }), names.toReversed()],
    ['by name, descending', byName, names.toSorted(compareCodePoints).toReversed()],
    ['by number', byNumber, names],
  ];

  it.each(orders)('%s hold every row once and in order, whatever their size', async (_what, keyset, expected) => {
    for (const limit of [1, 2, 3, 7, 8, 9]) {
      const found: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await keyset.read(db.selectFrom('things as t').selectAll(), { limit, cursor });
        expect(page.rows.length).toBeLessThanOrEqual(limit);
        found.push(...page.rows.map(({ name }) => name));
        cursor = page.nextCursor ?? undefined;
      } while (cursor !== undefined);
      expect(found).toEqual(expected);
    }
  });

  it('are empty when there are no rows', async () => {
    const none = db.selectFrom('things as t').selectAll().where('number', '>', 100);
    expect(await byName.read(none, { limit: 5 })).toEqual({ rows: [], nextCursor: null });
  });
});
