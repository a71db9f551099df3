import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { migrationsDirectory, openTestClickHouse } from '../../../test/support/analytics.ts';
import type { ClickHouse } from './clickhouse.ts';
import { expandTemplate } from './migrate.ts';
import { tenantSettings } from './tenant-settings.ts';

const directory = join(migrationsDirectory, 'clickhouse');
const [mine, theirs] = ['0197a000-0000-7000-8000-000000000001', '0197a000-0000-7000-8000-000000000002'];
const oldestMs = Date.UTC(2026, 10, 10);

let clickhouse: ClickHouse;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ clickhouse, close } = await openTestClickHouse());
});
afterAll(() => close());

const parse = (statement: string) => clickhouse.command(`EXPLAIN AST ${statement}`);

describe('the tables of a cluster', () => {
  test('are created from the same templates, and match a snapshot', async () => {
    const files = (await readdir(directory)).toSorted();
    const texts = await Promise.all(files.map((file) => readFile(join(directory, file), 'utf8')));
    const statements = texts.flatMap((text) => expandTemplate(text, 'main'));
    for (const statement of statements) await expect(parse(statement), statement).resolves.toBeUndefined();
    await expect(`${statements.join(';\n\n')};\n`).toMatchFileSnapshot('snapshots/cluster.sql');
  });

  test.each([
    ["ON CLUSTER 'main'", 'ON CLUSTR main'],
    ['ENGINE = Replicated', 'ENGIN = Replicated'],
    ['ORDER BY (', 'ORDER BY ((,'],
    ["Distributed('main', ", "Distributed('main', , "],
  ])('a planted syntax error is seen by the engine: %s', async (right, wrong) => {
    const text = await readFile(join(directory, '0001_spans_and_scores.sql'), 'utf8');
    const statement = expandTemplate(text, 'main').find((candidate) => candidate.includes(right)) ?? '';
    expect(statement).toContain(right);
    await expect(parse(statement)).resolves.toBeUndefined();
    await expect(parse(statement.replace(right, wrong))).rejects.toThrow(/Syntax error/);
  });
});

/**
 * A Distributed table whose one shard is this engine: the same planning as on a cluster, without the network. More shards than one, and
 * replication, are not exercised anywhere.
 */
describe('behind a Distributed table', () => {
  const tables = {
    front_spans: { timeColumn: 'start_time', timeType: 'DateTime64' },
    front_scores: { timeColumn: 'start_time', timeType: 'DateTime64' },
  } as const;
  const settings = tenantSettings(tables, { projectId: mine, oldestMs });
  const ids = async (sql: string, clause = settings) =>
    (await clickhouse.systemQuery<{ id: string }>(`${sql} ORDER BY id ${clause}`)).map(({ id }) => id);

  beforeAll(async () => {
    for (const table of ['spans', 'scores'])
      await clickhouse.command(`CREATE TABLE front_${table} AS remote('127.0.0.1', currentDatabase(), '${table}')`);
    await clickhouse.command(`INSERT INTO spans (project_id, trace_id, span_id, version, start_time) VALUES
      ('${mine}', 't', 'new', 1, '2026-11-20 10:00:00'), ('${mine}', 't', 'old', 1, '2026-11-01 10:00:00'), ('${theirs}', 't', 'theirs', 1, '2026-11-20 10:00:00')`);
    await clickhouse.command(`INSERT INTO scores (project_id, trace_id, score_id, version, start_time) VALUES
      ('${mine}', 't', 'mine', 1, '2026-11-20 10:00:00'), ('${theirs}', 't', 'theirs', 1, '2026-11-20 10:00:00')`);
  });

  test('the tenant filter on the Distributed table applies to the local rows', async () => {
    expect(await ids('SELECT span_id AS id FROM front_spans FINAL', '')).toEqual(['new', 'old', 'theirs']);
    expect(await ids('SELECT span_id AS id FROM front_spans FINAL')).toEqual(['new']);
    expect(await ids('SELECT span_id AS id FROM front_spans AS s')).toEqual(['new']);
    expect(await ids('SELECT toString(count()) AS id FROM front_spans')).toEqual(['1']);
    expect(await ids('SELECT any(span_id) AS id FROM front_spans GROUP BY trace_id')).toEqual(['new']);
  });

  test('also in subqueries, unions and joins', async () => {
    expect(
      await ids('SELECT id FROM (SELECT span_id AS id FROM front_spans FINAL UNION ALL SELECT score_id AS id FROM front_scores)'),
    ).toEqual(['mine', 'new']);
    expect(
      await ids('SELECT score_id AS id FROM front_scores WHERE trace_id GLOBAL IN (SELECT trace_id FROM front_spans)'),
    ).toEqual(['mine']);
    expect(
      await ids('SELECT s.span_id AS id FROM front_spans AS s GLOBAL INNER JOIN front_scores AS c ON s.trace_id = c.trace_id'),
    ).toEqual(['new']);
  });
});
