import { get } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestClickHouse } from '../../../test/support/analytics.ts';
import { until } from '../../../test/support/until.ts';
import { openHttpService, otherProject, ownProject } from '../http/http-service.fixture.ts';
import type { HttpService } from '../http/http-service.fixture.ts';
import type { ClickHouse } from './clickhouse.ts';

let clickhouse: ClickHouse;
let close: () => Promise<void>;
let service: HttpService;
const outcomes: unknown[] = [];

/** Takes longer than the limit of a read, and has rows long before. */
const endless = 'SELECT number AS n FROM numbers(1000000000000) WHERE cityHash64(number) % 3000000 = 0';

beforeAll(async () => {
  ({ clickhouse, close } = await openTestClickHouse());
  service = await openHttpService((app) => {
    const config = { access: { who: 'public' } } as const;
    app.get('/slow', { config }, () => clickhouse.forTenant({ projectId: ownProject, oldestMs: 0 }).query(endless));
    app.post('/slow', { config }, () => clickhouse.forTenant({ projectId: ownProject, oldestMs: 0 }).query(endless));
    app.get('/quick', { config }, () => clickhouse.forTenant({ projectId: otherProject, oldestMs: 0 }).query('SELECT 1 AS one'));
    app.get('/job', { config }, async () => {
      const reader = clickhouse.forTenant({ projectId: ownProject, oldestMs: null });
      const reading = reader.query('SELECT count() AS n FROM numbers(300000000) WHERE cityHash64(number) % 7 = 0');
      await reading.then(
        () => outcomes.push('read'),
        (error: unknown) => outcomes.push(error),
      );
      return null;
    });
  });
});
afterAll(async () => {
  await service.close();
  await close();
});

/** Requests of clients that go away when they are told to. */
function clients(path: string, count: number, method = 'GET'): { leave(): void } {
  const requests = Array.from({ length: count }, () => {
    const request = get(service.url + path, { agent: false, method, headers: { 'content-type': 'application/json' } }, (answer) =>
      answer.resume(),
    );
    return request.on('error', () => undefined);
  });
  return { leave: () => requests.forEach((request) => request.destroy()) };
}

/** Not those that the engine has stopped: it lists them until their connection is used again. */
const endlessReads = async () => {
  const [row] = await clickhouse.systemQuery<{ n: number }>(
    `SELECT count() AS n FROM system.processes WHERE query LIKE '%numbers(10000000%' AND NOT is_cancelled AND query NOT LIKE '%system.processes%'`,
  );
  return row?.n ?? 0;
};

test('reads of a project that never end leave a place for others, and end with their clients', async () => {
  const gone = [clients('/slow', 10, 'POST'), clients('/slow', 170)];
  await until('the reads run and wait', async () => clickhouse.reads.waiting === 100 && (await endlessReads()) > 0);
  const { status, body } = await service.request('/quick');
  expect([status, body]).toEqual([200, [{ one: 1 }]]);
  gone.forEach((each) => each.leave());
  await until('the reads have ended', () => clickhouse.reads.running + clickhouse.reads.waiting === 0, 10_000);
  expect(await endlessReads()).toBe(0);
  // The connections serve further reads.
  const answers = await Promise.all(Array.from({ length: 8 }, () => service.request('/quick')));
  expect(answers.map((answer) => [answer.status, answer.body])).toEqual(Array.from({ length: 8 }, () => [200, [{ one: 1 }]]));
});

test('what a request began beyond the retention goes on without it', async () => {
  const gone = clients('/job', 1);
  await until('the read runs', () => clickhouse.reads.running === 1);
  gone.leave();
  await until('the read has ended', () => outcomes.length > 0);
  expect(outcomes).toEqual(['read']);
});
