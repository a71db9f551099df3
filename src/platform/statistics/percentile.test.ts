import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestClickHouse } from '../../../test/support/analytics.ts';
import { openTestPostgres } from '../../../test/support/test-postgres.ts';
import { percentile, percentileOfArraySql, percentileSql } from './index.ts';

let clickhouse: Awaited<ReturnType<typeof openTestClickHouse>>;
let postgres: Awaited<ReturnType<typeof openTestPostgres>>;

beforeAll(async () => {
  clickhouse = await openTestClickHouse();
  postgres = await openTestPostgres();
});

afterAll(async () => {
  await postgres.close();
  await clickhouse.close();
});

/** Lists of a few distinct values and of many, and one of every length up to 200. */
const lists = [
  ...fc.sample(fc.array(fc.integer({ min: 0, max: 20 }).map(Number), { minLength: 1, maxLength: 300 }), 200),
  ...fc.sample(fc.array(fc.double({ min: 0, max: 1e9, noNaN: true }), { minLength: 1, maxLength: 60 }), 200),
  ...Array.from({ length: 200 }, (_, length) => Array.from({ length: length + 1 }, (_value, index) => index)),
].map((list) => list.toSorted((left, right) => left - right));

test.each([0, 0.025, 0.5, 0.95, 0.99, 1])(
  'percentile %d is the same value in JavaScript, ClickHouse and PostgreSQL',
  async (q) => {
    const found = lists.map((list) => percentile(list, q));
    const values = percentileSql({ values: 'values', upTo: 'up_to' }, q);
    const ofCounts = await clickhouse.clickhouse.systemQuery<{ value: number }>(
      `SELECT ${values} AS value FROM (
       SELECT list, arraySort(groupArray((item, occurrences))) AS pairs, pairs.1 AS values, arrayCumSum(pairs.2) AS up_to
       FROM (SELECT list, item, count() AS occurrences FROM (SELECT arrayJoin(arrayEnumerate({lists:Array(Array(Float64))})) AS list,
         arrayJoin({lists:Array(Array(Float64))}[list]) AS item) GROUP BY list, item)
       GROUP BY list
     ) ORDER BY list`,
      { lists },
    );
    expect(ofCounts.map(({ value }) => value)).toEqual(found);
    const { rows } = await sql<{ value: number }>`
    SELECT ${sql.raw(percentileOfArraySql('items', q))} AS value FROM (
      SELECT place, ARRAY(SELECT jsonb_array_elements_text(list)::float8) AS items
      FROM jsonb_array_elements(${JSON.stringify(lists)}::jsonb) WITH ORDINALITY AS given (list, place)
    ) AS lists ORDER BY place`.execute(postgres.postgres.db);
    expect(rows.map(({ value }) => value)).toEqual(found);
    // The value that as many values precede as the rank says.
    for (const [index, list] of lists.entries()) {
      const value = found[index] ?? Number.NaN;
      const rank = Math.floor(q * (list.length - 1));
      expect(list.filter((other) => other < value).length).toBeLessThanOrEqual(rank);
      expect(list.filter((other) => other <= value).length).toBeGreaterThan(rank);
    }
  },
);

test('no values have no percentile', async () => {
  expect(percentile([], 0.95)).toBeNull();
  const { rows } = await sql`SELECT ${sql.raw(percentileOfArraySql('items', 0.95))} AS value
    FROM (SELECT ARRAY[]::float8[] AS items) AS none`.execute(postgres.postgres.db);
  expect(rows).toEqual([{ value: null }]);
});
