import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { isUniqueViolation } from './database-error.ts';
import { backends } from './postgres-backends.fixture.ts';
import type { TestDatabase } from './postgres-backends.fixture.ts';
import type { Postgres } from './postgres.ts';
import type { Tables } from './tables.ts';

type Things = {
  things: { id: number; name: string };
};

const zone = process.env['TZ'];

describe.each(backends)('PostgreSQL, $mode', (backend) => {
  let database: TestDatabase;
  let postgres: Postgres;
  let things: Kysely<Tables & Things>;

  beforeAll(async () => {
    database = await backend.create();
    postgres = await database.open();
    things = postgres.db.withTables<Things>();
    await sql`CREATE TABLE things (id bigint PRIMARY KEY, name text CONSTRAINT things_name UNIQUE)`.execute(postgres.db);
  });
  afterAll(async () => {
    await postgres.close();
    await database.remove();
  });
  afterEach(() => {
    process.env['TZ'] = zone;
  });

  async function value(expression: ReturnType<typeof sql>): Promise<unknown> {
    const { rows } = await sql<{ value: unknown }>`SELECT ${expression} AS value`.execute(postgres.db);
    return rows[0]?.value;
  }

  test('reports its mode and answers', async () => {
    expect(postgres.mode).toBe(backend.mode);
    await postgres.ping();
  });

  test.each(['UTC', 'Pacific/Kiritimati', 'America/St_Johns'])('values do not depend on the time zone: %s', async (timeZone) => {
    process.env['TZ'] = timeZone;
    const instant = new Date('2026-11-20T23:59:59.123Z');
    expect(await value(sql`'2026-11-20T23:59:59.123Z'::timestamptz`)).toEqual(instant);
    expect(await value(sql`'2026-11-20T23:59:59.123'::timestamp`)).toEqual(instant);
    expect(await value(sql`${instant}::timestamptz`)).toEqual(instant);
    expect(await value(sql`${instant}::timestamptz = '2026-11-20T23:59:59.123Z'`)).toBe(true);
    expect(await value(sql`${instant}::date`)).toBe('2026-11-20');
    expect(await value(sql`date_trunc('day', ${instant}::timestamptz)`)).toEqual(new Date('2026-11-20T00:00:00Z'));
    expect(await value(sql`'2026-11-20'::date`)).toBe('2026-11-20');
    expect(await value(sql`ARRAY['2026-11-20', NULL]::date[]`)).toEqual(['2026-11-20', null]);
    expect(await value(sql`ARRAY['2026-11-20T23:59:59.123']::timestamp[]`)).toEqual([instant]);
    expect(await value(sql`ARRAY['2026-11-20T23:59:59.123Z']::timestamptz[]`)).toEqual([instant]);
  });

  test('a bigint is a number, a numeric a text', async () => {
    expect(await value(sql`9007199254740991::bigint`)).toBe(Number.MAX_SAFE_INTEGER);
    expect(await value(sql`(-9007199254740991)::bigint`)).toBe(Number.MIN_SAFE_INTEGER);
    expect(await value(sql`count(*)`)).toBe(1);
    expect(await value(sql`ARRAY[1, NULL, 3]::bigint[]`)).toEqual([1, null, 3]);
    expect(await value(sql`0.1::numeric`)).toBe('0.1');
    expect(await value(sql`ARRAY[12345678901234567890.5]::numeric[]`)).toEqual(['12345678901234567890.5']);
    await expect(value(sql`9007199254740992::bigint`)).rejects.toThrow('does not fit in a number');
  });

  test('JSON, bytes and text are returned unchanged', async () => {
    const text = `"'\\ \u{1F600} \u0001`;
    expect(await value(sql`${text}::text`)).toBe(text);
    expect(await value(sql`${Buffer.from([0, 255, 10])}::bytea`)).toEqual(Buffer.from([0, 255, 10]));
    expect(await value(sql`${JSON.stringify({ a: [1, text] })}::jsonb`)).toEqual({ a: [1, text] });
  });

  test('large answers and parameters are returned whole', async () => {
    const large = 'x'.repeat(5_000_000);
    expect(await value(sql`${large}::text`)).toBe(large);
    const { rows } = await sql`SELECT repeat('y', 1000) AS text FROM generate_series(1, 5000)`.execute(postgres.db);
    expect(rows.length).toBe(5_000);
  });

  test('a unique violation names its constraint, and the connection stays usable', async () => {
    await things.insertInto('things').values({ id: 1, name: 'one' }).execute();
    const error: unknown = await things
      .insertInto('things')
      .values({ id: 2, name: 'one' })
      .execute()
      .catch((caught: unknown) => caught);
    expect(isUniqueViolation(error)).toBe(true);
    expect(isUniqueViolation(error, 'things_name')).toBe(true);
    expect(isUniqueViolation(error, 'things_pkey')).toBe(false);
    expect(isUniqueViolation(new Error('another'))).toBe(false);
    expect(isUniqueViolation(null)).toBe(false);
    await postgres.ping();
  });

  test('a failed transaction is rolled back, and the next one starts clean', async () => {
    const work = things.transaction().execute(async (transaction) => {
      await transaction.insertInto('things').values({ id: 10, name: 'ten' }).execute();
      throw new Error('changed my mind');
    });
    await expect(work).rejects.toThrow('changed my mind');
    await things
      .transaction()
      .execute((transaction) => transaction.insertInto('things').values({ id: 11, name: 'eleven' }).execute());
    expect(await things.selectFrom('things').select('id').where('id', 'in', [10, 11]).execute()).toEqual([{ id: 11 }]);
  });

  test('concurrent statements are all answered', async () => {
    const answers = await Promise.all(Array.from({ length: 200 }, (_, index) => value(sql`${index}::bigint`)));
    expect(answers).toEqual(Array.from({ length: 200 }, (_, index) => index));
  });

  test('a lock admits one caller at a time, also after a failure; other names do not wait', async () => {
    const order: string[] = [];
    const first = Promise.withResolvers<void>();
    const began = Promise.withResolvers<void>();
    const one = postgres.withLock('lock', async () => {
      began.resolve();
      await first.promise;
      order.push('one');
      throw new Error('failed');
    });
    await began.promise;
    const two = postgres.withLock('lock', async () => order.push('two'));
    expect(await postgres.tryLock('lock', async () => order.push('never'))).toBeNull();
    expect(await postgres.tryLock('other', async () => order.push('other'))).toBe(1);
    first.resolve();
    await expect(one).rejects.toThrow('failed');
    await two;
    expect(order).toEqual(['other', 'one', 'two']);
    expect(await postgres.tryLock('lock', async () => 'free')).toBe('free');
  });

  test('work under more locks than connections can still use the database', async () => {
    const answers = await Promise.all(
      Array.from({ length: 15 }, (_, index) => postgres.withLock(`lock ${index}`, () => value(sql`${index}::bigint`))),
    );
    expect(answers).toEqual(Array.from({ length: 15 }, (_, index) => index));
  });

  test('a timeout while waiting for a connection is unavailable with Retry-After', async () => {
    const other = await backend.create();
    const impatient = await other.open({ timeouts: { connection: 200, statement: 200 } });
    const given = Promise.withResolvers<void>();
    let held = 0;
    const all = Promise.withResolvers<void>();
    const connections = backend.mode === 'embedded' ? 1 : 10;
    const holders = Array.from({ length: connections }, () =>
      impatient.db.connection().execute(async () => {
        if (++held === connections) all.resolve();
        await given.promise;
      }),
    );
    await all.promise;
    await expect(impatient.ping()).rejects.toMatchObject({ name: 'ServiceError', code: 'unavailable', retryAfterSeconds: 5 });
    given.resolve();
    await Promise.all(holders);
    await impatient.ping();
    await impatient.close();
    await other.remove();
  });

  test('a statement that times out ends, and the next one is answered', async () => {
    const other = await backend.create();
    const impatient = await other.open({ timeouts: { statement: 500 } });
    await sql`CREATE TABLE kept (id integer)`.execute(impatient.db);
    await sql`INSERT INTO kept VALUES (7)`.execute(impatient.db);
    const endless = sql`SELECT count(*) FROM generate_series(1, 100000) a, generate_series(1, 100000) b`.execute(impatient.db);
    await expect(endless).rejects.toMatchObject({ name: 'ServiceError', code: 'unavailable' });
    expect((await sql`SELECT id FROM kept`.execute(impatient.db)).rows).toEqual([{ id: 7 }]);
    await impatient.close();
    await other.remove();
  });

  test('closing is idempotent, and later statements fail', async () => {
    const other = await backend.create();
    const closing = await other.open();
    await Promise.all([closing.close(), closing.close()]);
    await expect(closing.ping()).rejects.toThrow();
    await other.remove();
  });
});
