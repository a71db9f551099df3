import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestClickHouse } from '../../../test/support/analytics.ts';
import type { ClickHouse } from './clickhouse.ts';

let clickhouse: ClickHouse;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ clickhouse, close } = await openTestClickHouse());
});
afterAll(() => close());

const [project, other] = ['0197a000-0000-7000-8000-000000000001', '0197a000-0000-7000-8000-000000000002'];

test("a failed read leaves none of its rows in another project's answer", async () => {
  // Has written rows when it fails.
  const failing = `SELECT toUUID(if(number = 300000, 'x', '${project}')) AS secret FROM numbers(400000)`;
  for (let round = 0; round < 3; round++) {
    await expect(clickhouse.forTenant({ projectId: project, oldestMs: 0 }).query(failing)).rejects.toThrow('UUID');
    const reader = clickhouse.forTenant({ projectId: other, oldestMs: 0 });
    expect(await reader.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(await reader.queryLines('SELECT 2 AS two')).toBe('{"two":2}\n');
  }
});

test('nor does a failed statement of a job', async () => {
  await expect(clickhouse.systemQuery('SELECT number, throwIf(number = 300000) FROM numbers(400000)')).rejects.toThrow('throwIf');
  expect(await clickhouse.systemQuery('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  await expect(clickhouse.command('SELECT number, throwIf(number = 300000) FROM numbers(400000)')).rejects.toThrow('throwIf');
  expect(await clickhouse.systemQuery('SELECT 1 AS one')).toEqual([{ one: 1 }]);
});
