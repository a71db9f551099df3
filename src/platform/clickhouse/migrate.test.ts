import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { migrationsDirectory, openTestClickHouse } from '../../../test/support/analytics.ts';
import type { ClickHouse } from './clickhouse.ts';
import { expandTemplate, migrateClickHouse } from './migrate.ts';

const directory = join(migrationsDirectory, 'clickhouse');

let clickhouse: ClickHouse;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ clickhouse, close } = await openTestClickHouse());
});
afterAll(() => close());

async function statements(cluster: string | null): Promise<string[]> {
  const files = (await readdir(directory)).toSorted();
  const texts = await Promise.all(files.map((file) => readFile(join(directory, file), 'utf8')));
  return texts.flatMap((text) => expandTemplate(text, cluster));
}

test('migrating again changes nothing', async () => {
  const tables = () =>
    clickhouse.systemQuery('SELECT name, create_table_query FROM system.tables WHERE database = currentDatabase() ORDER BY name');
  const before = await tables();
  await migrateClickHouse(clickhouse, directory);
  expect(await tables()).toEqual(before);
  expect(await clickhouse.systemQuery('SELECT count() AS applied FROM schema_migrations')).toEqual([
    { applied: (await readdir(directory)).length },
  ]);
});

test('on a cluster a template creates a replicated and a Distributed table, and the engine parses each', async () => {
  const single = await statements(null);
  const cluster = await statements('main');
  const tables = single.filter((statement) => statement.startsWith('CREATE'));
  // A new column is added to the local and the Distributed table; other changes apply to the local table only.
  const columns = single.filter((statement) => statement.includes('ADD COLUMN'));
  expect(columns.length).toBeGreaterThan(0);
  expect(cluster).toHaveLength(single.length + tables.length + columns.length);
  for (const statement of cluster) {
    expect(statement).toContain("ON CLUSTER 'main'");
    expect(statement).not.toContain('{{');
    // Parses the statement without running it.
    await expect(clickhouse.command(`EXPLAIN AST ${statement}`), statement).resolves.toBeUndefined();
  }
  expect(cluster.filter((statement) => statement.includes('Replicated'))).toHaveLength(tables.length);
  expect(cluster.filter((statement) => statement.includes('Distributed('))).toHaveLength(tables.length);
});

test('tombstones of an earlier release lose the texts of their trace, and traces keep theirs', async () => {
  const columns = 'project_id, start_time, trace_id, version, is_deleted, name, session_id, tags, input_preview';
  const project = '0197a000-0000-7000-8000-000000000003';
  const row = (traceId: string, isDeleted: 0 | 1) =>
    `('${project}', '2026-11-20 10:00:00', '${traceId}', 1, ${isDeleted}, 'n', 's', ['t'], 'i')`;
  await clickhouse.command(`INSERT INTO traces (${columns}) VALUES ${row('deleted', 1)}, ${row('kept', 0)}`);
  const text = await readFile(join(directory, '0008_blank_tombstones.sql'), 'utf8');
  for (const statement of expandTemplate(text, null)) await clickhouse.command(statement);
  const rows = () =>
    clickhouse.systemQuery(
      `SELECT trace_id AS id, name, session_id AS session, tags, input_preview AS input FROM traces
       WHERE project_id = '${project}' ORDER BY id`,
    );
  const expected = [
    { id: 'deleted', name: '', session: '', tags: [], input: '' },
    { id: 'kept', name: 'n', session: 's', tags: ['t'], input: 'i' },
  ];
  await vi.waitFor(async () => expect(await rows()).toEqual(expected), 20_000);
});

test('a tenant sees no rows of other projects and none older than the retention', async () => {
  const [mine, theirs] = ['0197a000-0000-7000-8000-000000000001', '0197a000-0000-7000-8000-000000000002'];
  await clickhouse.command(
    `INSERT INTO spans (project_id, trace_id, span_id, version, start_time) VALUES
      ('${mine}', 't', 'new', 1, '2026-11-20 10:00:00'), ('${mine}', 't', 'old', 1, '2026-11-01 10:00:00'), ('${theirs}', 't', 'new', 1, '2026-11-20 10:00:00')`,
  );
  const spanIds = async (oldestMs: number | null, from: string) =>
    (
      await clickhouse
        .forTenant({ projectId: mine, oldestMs })
        .query<{ id: string }>(`SELECT span_id AS id FROM ${from} ORDER BY id`)
    ).map(({ id }) => id);
  expect(await spanIds(null, 'spans FINAL')).toEqual(['new', 'old']);
  expect(await spanIds(Date.UTC(2026, 10, 20, 10), 'spans FINAL')).toEqual(['new']);
  expect(await spanIds(Date.UTC(2026, 10, 20, 10) + 1, 'spans FINAL')).toEqual([]);
  expect(await spanIds(null, '(SELECT * FROM spans AS a JOIN spans AS b USING (trace_id, span_id))')).toEqual(['new', 'old']);
  expect(() => clickhouse.forTenant({ projectId: "' OR 1 = 1 --", oldestMs: null })).toThrow('project id');
});
