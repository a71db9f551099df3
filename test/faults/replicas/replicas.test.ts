import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startService, temporaryDataDirectory } from '../../support/service.ts';
import type { Service } from '../../support/service.ts';
import { canShare, openSharedStores } from '../../support/replicas.ts';
import type { Stores } from '../../support/replicas.ts';

const patience = { timeout: 45_000, interval: 200 };
type Json = ReturnType<typeof JSON.parse>;

describe.runIf(canShare)('three processes on one PostgreSQL and one ClickHouse', () => {
  let stores: Stores;
  let database: pg.Client;
  /** One replica per role: api, all, worker. */
  let api: Service;
  let all: Service;
  let worker: Service;
  let owner: { cookie: string; projectId: string; organizationId: string };

  beforeAll(async () => {
    stores = await openSharedStores();
    database = new pg.Client({ connectionString: stores.databaseUrl });
    // Two start concurrently on empty stores: one creates tables and owner, the other finds them.
    [api, all] = await Promise.all([stores.start({ env: { SPANWISE_ROLE: 'api' } }), stores.start()]);
    worker = await stores.start({ env: { SPANWISE_ROLE: 'worker' } });
    await database.connect();
    owner = await api.signIn();
  });
  afterAll(async () => {
    await database?.end();
    await stores?.close();
  });

  async function ask(
    service: Service,
    path: string,
    init: RequestInit & { body?: string } = {},
  ): Promise<{ status: number; body: Json }> {
    const headers = { cookie: owner.cookie, ...(init.body === undefined ? {} : { 'content-type': 'application/json' }) };
    const answer = await fetch(`${service.url}${path}`, { ...init, headers: { ...headers, ...(init.headers as object) } });
    const text = await answer.text();
    return { status: answer.status, body: text.startsWith('{') ? JSON.parse(text) : text };
  }
  const project = (rest: string) => `/v1/projects/${owner.projectId}${rest}`;
  const newKey = async (): Promise<{ id: string; key: string }> =>
    (await ask(api, project('/api-keys'), { method: 'POST', body: '{"name":"k"}' })).body;
  const send = (service: Service, key: string, ...events: object[]) =>
    ask(service, '/v1/ingest', {
      method: 'POST',
      body: events.map((event) => JSON.stringify(event)).join('\n'),
      headers: { 'x-api-key': key, 'content-type': 'application/x-ndjson', cookie: '' },
    });
  const call = (traceId: string, spanId: string, more: object = {}) => ({
    type: 'span',
    traceId,
    spanId,
    name: 'chat',
    kind: 'llm',
    model: 'm',
    costUsd: 0.5,
    startTime: new Date(Date.now() - 1_000).toISOString(),
    endTime: new Date().toISOString(),
    output: 'an answer',
    ...more,
  });
  const count = async (sql: string, values: unknown[] = []) => Number((await database.query(sql, values)).rows[0]?.n);
  const clickhouse = async (sql: string): Promise<Json[]> => {
    const url = new URL(stores.clickhouseUrl);
    const answer = await fetch(`${url.origin}/?database=${url.pathname.slice(1)}&default_format=JSONEachRow`, {
      method: 'POST',
      body: sql,
    });
    return (await answer.text())
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Json);
  };

  test('each replica does the work of its role', async () => {
    for (const service of [api, all, worker]) {
      expect((await ask(service, '/healthz')).status).toBe(200);
      expect((await ask(service, '/readyz')).status).toBe(200);
    }
    expect((await ask(worker, '/v1/ingest', { method: 'POST', body: '{}' })).status).toBe(404);
    expect((await ask(worker, '/v1/auth/session')).status).toBe(404);
    const { key } = await newKey();
    expect((await send(api, key, call('role', 's'))).status).toBe(202);
    await vi.waitFor(async () => expect((await ask(api, project('/traces/role'))).status).toBe(200), patience);
    expect((await ask(all, project('/traces/role'))).status).toBe(200);
  });

  test('a session works on every replica and ends on all of them', async () => {
    const { cookie } = await api.signIn();
    expect((await ask(all, '/v1/auth/session', { headers: { cookie } })).status).toBe(200);
    expect((await ask(all, '/v1/auth/logout', { method: 'POST', headers: { cookie } })).status).toBe(204);
    expect((await ask(api, '/v1/auth/session', { headers: { cookie } })).status).toBe(401);
  });

  test('a key that is revoked through one replica stops working on the other', async () => {
    const { id, key } = await newKey();
    expect((await send(api, key, call('revoked', '1'))).status).toBe(202);
    expect((await send(all, key, call('revoked', '2'))).status).toBe(202);
    expect((await ask(api, project(`/api-keys/${id}`), { method: 'DELETE' })).status).toBe(204);
    expect((await send(api, key, call('revoked', '3'))).status).toBe(401);
    await vi.waitFor(async () => expect((await send(all, key, call('revoked', '4'))).status).toBe(401), {
      timeout: 30_000,
      interval: 100,
    });
  });

  test('a prompt that is changed through one replica is served by the other', async () => {
    const version = (prompt: string) =>
      ask(api, '/v1/prompts', { method: 'POST', body: JSON.stringify({ projectId: owner.projectId, name: 'p', prompt }) });
    const read = async () =>
      (await ask(all, `/v1/prompts?name=p&label=latest&projectId=${owner.projectId}`)).body.resolvedPrompt as unknown;
    await version('one');
    await vi.waitFor(async () => expect(await read()).toBe('one'), { timeout: 30_000, interval: 20 });
    await version('two');
    await vi.waitFor(async () => expect(await read()).toBe('two'), { timeout: 30_000, interval: 20 });
  });

  test('replicas share the rate limit of a key', async () => {
    const { key } = await newKey();
    const began = performance.now();
    const statuses = await Promise.all(
      Array.from({ length: 500 }, async (_, index) => (await send(index % 2 === 0 ? api : all, key, { type: 'nothing' })).status),
    );
    const seconds = (performance.now() - began) / 1000;
    const through = statuses.filter((status) => status === 400).length;
    expect(statuses.filter((status) => status !== 400 && status !== 429)).toEqual([]);
    expect(through).toBeGreaterThanOrEqual(290);
    expect(through).toBeLessThanOrEqual(300 + 5 * (seconds + 1));
    const { rows } = await database.query('SELECT tokens FROM rate_buckets ORDER BY at_ms DESC LIMIT 1');
    expect(rows).toHaveLength(1);
  });

  test('the quota and a body sent again count once over the replicas', async () => {
    // A new organisation without events.
    const organization = await ask(api, '/v1/organizations', { method: 'POST', body: '{"name":"Quota"}' });
    const projects = `/v1/organizations/${String(organization.body.id)}/projects`;
    const { body: made } = await ask(api, projects, { method: 'POST', body: '{"name":"Quota"}' });
    const { key } = (await ask(api, `/v1/projects/${String(made.id)}/api-keys`, { method: 'POST', body: '{"name":"k"}' }))
      .body as { key: string };
    const used = () =>
      count('SELECT coalesce(sum(events), 0) AS n FROM usage_months WHERE organization_id = $1', [organization.body.id]);
    const body = [call('again', 'a'), call('again', 'b')];
    for (const service of [api, all, api]) expect((await send(service, key, ...body)).status).toBe(202);
    expect((await send(all, key, call('again', 'c'))).status).toBe(202);
    await vi.waitFor(async () => expect(await used()).toBe(3), patience);
    // After both replicas stored their counts the sum is still three.
    for (const service of [api, all])
      await vi.waitFor(
        async () => expect((await ask(service, `/v1/projects/${String(made.id)}/ingest-health`)).body.quota.used).toBe(3),
        patience,
      );
    expect((await clickhouse("SELECT uniqExact(span_id) AS n FROM spans WHERE trace_id = 'again'"))[0]?.n).toEqual(3);
  });

  test('an evaluation runs once, on any of the workers', async () => {
    const { key } = await newKey();
    const evaluator = { slug: 'once', type: 'contains', config: { value: 'answer' }, target: 'span', filter: { tags: ['once'] } };
    expect((await ask(api, project('/evaluators'), { method: 'POST', body: JSON.stringify(evaluator) })).status).toBe(201);
    // The other replica learns of the new evaluator within seconds.
    await vi.waitFor(async () => {
      await send(all, key, call('probe', randomBytes(8).toString('hex'), { tags: ['once'] }));
      expect(await count("SELECT count(*) AS n FROM evaluations WHERE trace_id = 'probe'")).toBeGreaterThan(0);
    }, patience);
    const sent = 60;
    for (let at = 0; at < sent; at += 10) {
      const spans = Array.from({ length: 10 }, (_, index) => call(`once-${at + index}`, 's', { tags: ['once'] }));
      expect((await send((at / 10) % 2 === 0 ? api : all, key, ...spans)).status).toBe(202);
    }
    await vi.waitFor(
      async () =>
        expect(await count("SELECT count(*) AS n FROM evaluations WHERE status = 'completed' AND trace_id LIKE 'once-%'")).toBe(
          sent,
        ),
      patience,
    );
    expect(await count('SELECT max(attempts) AS n FROM evaluations')).toBe(1);
    await vi.waitFor(
      async () =>
        expect(
          (await clickhouse("SELECT count() AS n FROM scores FINAL WHERE evaluator = 'once' AND trace_id LIKE 'once-%'"))[0]?.n,
        ).toBe(sent),
      patience,
    );
    // One row per score: no verdict was written twice.
    expect((await clickhouse("SELECT count() AS n FROM scores WHERE evaluator = 'once' AND trace_id LIKE 'once-%'"))[0]?.n).toBe(
      sent,
    );
  });

  test('spans of one trace that reach two replicas at the same moment get the right agent and calls', async () => {
    const { key } = await newKey();
    const traces = 25;
    const otlp = (
      service: Service,
      traceId: string,
      spanId: string,
      parentSpanId: string,
      attributes: Record<string, string>,
    ) => {
      const nowNs = `${Date.now()}000000`;
      const span = {
        traceId,
        spanId,
        parentSpanId,
        name: 's',
        startTimeUnixNano: nowNs,
        endTimeUnixNano: nowNs,
        attributes: Object.entries(attributes).map(([name, stringValue]) => ({ key: name, value: { stringValue } })),
      };
      return ask(service, '/v1/traces', {
        method: 'POST',
        body: JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] }),
        headers: { 'x-api-key': key, cookie: '' },
      });
    };
    const chat = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'm-split', 'gen_ai.provider.name': 'openai' };
    for (let index = 0; index < traces; index++) {
      const traceId = randomBytes(16).toString('hex');
      const [agent, llm] = [randomBytes(8).toString('hex'), randomBytes(8).toString('hex')];
      const answers = await Promise.all([
        otlp(index % 2 === 0 ? api : all, traceId, agent, '', {
          'gen_ai.operation.name': 'invoke_agent',
          'gen_ai.agent.name': 'planner',
        }),
        otlp(index % 2 === 0 ? all : api, traceId, llm, agent, chat),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    }
    const named = () =>
      clickhouse("SELECT agent_name, count() AS n FROM calls FINAL WHERE model = 'm-split' GROUP BY agent_name");
    await vi.waitFor(async () => expect(await named()).toEqual([{ agent_name: 'planner', n: traces }]), patience);
    await vi.waitFor(
      async () => expect(await count('SELECT count(*) AS n FROM trace_notes WHERE NOT settled')).toBe(0),
      patience,
    );
    expect(await named()).toEqual([{ agent_name: 'planner', n: traces }]);
  });

  test('hours are sealed once, with the same figures on every replica', async () => {
    const unsealed = () => count('SELECT count(*) AS n FROM hour_states WHERE dirty > sealed');
    await vi.waitFor(async () => expect(await unsealed()).toBe(0), patience);
    // One seal per row: two processes that sealed the same hour would have used different seals.
    const doubled = await clickhouse(
      'SELECT seal FROM model_hours GROUP BY project_id, grain, hour, seal, model, dimension, item HAVING count() > 1',
    );
    expect(doubled).toEqual([]);
    for (const service of [api, all]) {
      const { body } = await ask(service, project('/models/m-split?range=7d'));
      expect(body.summary).toMatchObject({ total_calls: 25, unique_agents: 1, trace_count: 25 });
    }
  });

  test('expired rows are deleted and logged once', async () => {
    const { key } = await newKey();
    const old = new Date(Date.now() - 20 * 86_400_000).toISOString();
    expect((await send(api, key, call('old', 's', { startTime: old, endTime: old }))).status).toBe(202);
    await vi.waitFor(
      async () => expect(await clickhouse("SELECT 1 FROM spans WHERE trace_id = 'old'")).toHaveLength(1),
      patience,
    );
    await database.query("UPDATE organizations SET plan = 'free'");
    // The job runs half a minute after a start and hourly from then on.
    const fresh = await Promise.all([1, 2].map(() => stores.start({ env: { SPANWISE_ROLE: 'worker' } })));
    const told = () => count("SELECT count(*) AS n FROM audit_entries WHERE kind = 'retention.deleted'");
    await vi.waitFor(async () => expect(await told()).toBe(1), { timeout: 90_000, interval: 500 });
    await vi.waitFor(async () => expect(await clickhouse("SELECT 1 FROM spans WHERE trace_id = 'old'")).toEqual([]), patience);
    for (const service of fresh) expect(await service.stop('SIGTERM')).toBe(0);
    expect(await told()).toBe(1);
    await database.query("UPDATE organizations SET plan = 'scale'");
  }, 150_000);

  test('a replica with another secret does not start and says what to do', async () => {
    const directory = await temporaryDataDirectory();
    const start = startService({
      dataDirectory: directory.path,
      // Without the variable it generates a secret.
      env: { ...stores.env, SPANWISE_SECRET_KEY: '' },
    });
    await expect(start).rejects.toThrow(
      /spanwise cannot start: SPANWISE_SECRET_KEY: .* give every replica the same SPANWISE_SECRET_KEY/,
    );
    await directory.remove();
  });
});
