import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertProject } from '../../../../test/support/insert-project.ts';
import { openTestPostgres } from '../../../../test/support/test-postgres.ts';
import type { IngestClient } from '../../../contract/ingest.ts';
import type { Database, Postgres } from '../../../platform/postgres/index.ts';
import { apiKey, nowMs, openIngestService, organizationId, projectId } from '../ingest-service.fixture.ts';
import type { IngestService } from '../ingest-service.fixture.ts';
import { ClientDelivery } from './client-delivery.ts';
import { PostgresClientStore } from './client-store.ts';
import { dayMs } from '../../../contract/durations.ts';

let database: Awaited<ReturnType<typeof openTestPostgres>>;
let store: PostgresClientStore;
let db: Database;
/** Two replicas. */
let one: IngestService;
let two: IngestService;

beforeAll(async () => {
  database = await openTestPostgres();
  const postgres: Postgres = database.postgres;
  await insertProject(postgres.db, { organizationId, projectId, plan: 'free' }, { atMs: nowMs });
  db = postgres.db;
  store = new PostgresClientStore(db);
  one = await openIngestService('free', store);
  two = await openIngestService('free', store);
});
afterAll(async () => {
  await one.close();
  await two.close();
  await database.close();
});

async function post(service: IngestService, path: string, body: string, headers: Record<string, string>): Promise<void> {
  const answer = await fetch(`${service.url}${path}`, { method: 'POST', headers: { 'x-api-key': apiKey, ...headers }, body });
  await answer.arrayBuffer();
}

const sdkHeader = (version: string, id: string, dropped = '') => ({
  'content-type': 'application/x-ndjson',
  'x-spanwise-client': `sdk-js/${version}; sent=1; ${dropped}id=${id.padStart(16, '0')}`,
});
const span = JSON.stringify({ type: 'span', traceId: 't', spanId: 's', name: 'n', startTime: new Date(nowMs).toISOString() });
const otlpSpan = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), name: 'n', startTimeUnixNano: `${nowMs}000000` };
const otlp = (scopes: Array<[name: string, spans: object[]]>) =>
  JSON.stringify({
    resourceSpans: [{ scopeSpans: scopes.map(([name, spans]) => ({ scope: { name, version: '1.2' }, spans })) }],
  });

async function clients(service: IngestService): Promise<IngestClient[]> {
  const answer = await fetch(`${service.url}/v1/projects/${projectId}/ingest-health`, { headers: { 'x-api-key': apiKey } });
  return ((await answer.json()) as { clients: IngestClient[] }).clients;
}

async function clear(): Promise<void> {
  await Promise.all([one.context.clients.flush(), two.context.clients.flush()]);
  await sql`TRUNCATE ingest_clients, ingest_client_instances`.execute(db);
}

test('SDK clients are summed over their instances and over replicas', async () => {
  await post(one, '/v1/ingest', `${span}\n{}`, sdkHeader('1.0.0', 'a', 'queue_full=5; refused=1; '));
  await post(two, '/v1/ingest', span, sdkHeader('1.0.0', 'a', 'queue_full=8; refused=1; '));
  // A request that was overtaken.
  await post(two, '/v1/ingest', span, sdkHeader('1.0.0', 'a', 'queue_full=7; '));
  await post(two, '/v1/ingest', 'nonsense', sdkHeader('1.0.0', 'b', 'too_old=2; '));
  await post(one, '/v1/ingest', span, sdkHeader('1.1.0', 'c'));
  await two.context.clients.flush();
  const all = await clients(one);
  expect(all.toSorted((left, right) => String(left.version).localeCompare(String(right.version)))).toEqual([
    {
      client: 'sdk-js',
      version: '1.0.0',
      kind: 'sdk',
      lastSeenAt: new Date(nowMs).toISOString(),
      accepted: 3,
      rejected: 2,
      reasons: [{ code: 'invalid_request', count: 2 }],
      dropped: { queue_full: 8, too_old: 2, refused: 1 },
    },
    expect.objectContaining({
      version: '1.1.0',
      accepted: 1,
      rejected: 0,
      reasons: [],
      dropped: { queue_full: 0, too_old: 0, refused: 0 },
    }),
  ]);
  expect(await clients(two)).toEqual(all);
  await clear();
});

test('OTLP senders are listed by user agent and scope, other requests by user agent', async () => {
  const headers = { 'content-type': 'application/json', 'user-agent': 'OTel-OTLP-Exporter-Python/1.27.0' };
  const body = otlp([
    ['openai', [otlpSpan, { ...otlpSpan, traceId: 'bad' }]],
    ['\u202elangchain', [otlpSpan]],
  ]);
  await post(one, '/v1/traces', body, headers);
  await post(one, '/v1/traces', '{', headers);
  one.clock.advance(1000);
  await post(one, '/v1/ingest', span, { 'content-type': 'text/csv', 'user-agent': 'curl/8.5.0' });
  const listed = await clients(one);
  expect(listed[0]).toMatchObject({ client: 'curl', version: '8.5.0', kind: 'http', accepted: 0, rejected: 1 });
  expect(listed[0]?.reasons).toEqual([{ code: 'unsupported_media_type', count: 1 }]);
  const exporter = { client: 'OTel-OTLP-Exporter-Python', version: '1.27.0', kind: 'otlp' };
  expect(listed.slice(1)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ ...exporter, scope: 'openai@1.2', accepted: 1, rejected: 1 }),
      expect.objectContaining({ ...exporter, scope: 'langchain@1.2', accepted: 1, rejected: 0 }),
      expect.objectContaining({ ...exporter, accepted: 0, rejected: 1, reasons: [{ code: 'invalid_request', count: 1 }] }),
    ]),
  );
  expect(listed).toHaveLength(4);
  await clear();
});

test('beyond 200 clients a day further ones are counted together; 50 are listed, the latest first', async () => {
  for (let n = 0; n < 230; n += 1) {
    one.clock.advance(1);
    one.context.clients.add(
      projectId,
      { kind: 'http', client: `agent-${n}`, version: '', instance: null },
      { count: 1, code: '' },
    );
    if (n % 60 === 0) await one.context.clients.flush();
  }
  const listed = await clients(one);
  expect(listed).toHaveLength(50);
  expect(listed[0]).toMatchObject({ client: 'other', version: null, accepted: 30 });
  expect(listed[1]).toMatchObject({ client: 'agent-199', accepted: 1 });
  // Versions of a client of that name do not exceed the limit.
  for (let n = 0; n < 300; n += 1) {
    one.context.clients.add(
      projectId,
      { kind: 'http', client: 'other', version: `${n}`, instance: null },
      { count: 1, code: '' },
    );
  }
  await one.context.clients.flush();
  const { count } = await db
    .selectFrom('ingest_clients')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow();
  expect(Number(count)).toBe(201);
  await clear();
});

test('counts that cannot be written are kept, and those of a deleted project are not', async () => {
  const gone = '0197a000-0000-7000-8000-0000000000aa';
  one.context.clients.add(gone, { kind: 'http', client: 'a', version: '', instance: null }, { count: 1, code: '' });
  await one.context.clients.flush();
  const add = store.add.bind(store);
  const failing = new PostgresClientStore(db);
  failing.add = () => Promise.reject(new Error('away'));
  const errors: unknown[] = [];
  const delivery = new ClientDelivery({ clock: one.clock, store: failing, onError: (error) => errors.push(error) });
  delivery.add(projectId, { kind: 'http', client: 'a', version: '', instance: null }, { count: 2, code: '' });
  await delivery.flush();
  expect(errors).toHaveLength(1);
  failing.add = add;
  delivery.add(projectId, { kind: 'http', client: 'a', version: '', instance: null }, { count: 3, code: '' });
  expect(await delivery.list(projectId)).toMatchObject([{ client: 'a', accepted: 5 }]);
  await clear();
});

test('clients are listed for 7 days and then deleted', async () => {
  await post(one, '/v1/ingest', span, sdkHeader('1.0.0', 'a', 'refused=1; '));
  await one.context.clients.flush();
  one.clock.advance(6 * dayMs);
  await post(one, '/v1/ingest', span, sdkHeader('1.0.0', 'b', 'refused=2; '));
  expect(await clients(one)).toMatchObject([{ accepted: 2, dropped: { refused: 3 } }]);
  one.clock.advance(dayMs);
  expect(await clients(one)).toMatchObject([{ dropped: { refused: 2 } }]);
  await store.deleteOld(one.clock.now());
  const left = async (table: 'ingest_clients' | 'ingest_client_instances') =>
    (await db.selectFrom(table).selectAll().execute()).length;
  expect([await left('ingest_clients'), await left('ingest_client_instances')]).toEqual([1, 1]);
  one.clock.advance(7 * dayMs);
  expect(await clients(one)).toEqual([]);
});
