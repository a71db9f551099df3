import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Incident } from '../../../src/contract/incidents.ts';
import { openWebhookReceiver } from '../../../src/features/notifications/webhook-receiver.fixture.ts';
import { administrator, startService, temporaryDataDirectory } from '../../support/service.ts';
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
    const start = (role: string) => stores.start({ env: { SPANWISE_ROLE: role, SPANWISE_ALERT_INTERVAL_S: '1' } });
    [api, all] = await Promise.all([start('api'), start('all')]);
    worker = await start('worker');
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
  const clickhouse = async (sql: string) => (await stores.clickhouse(sql)) as Json[];

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

  test('a session works on every replica, and ends on all of them at sign-out and when the password changes', async () => {
    const [{ cookie }, { cookie: other }] = [await api.signIn(), await all.signIn()];
    expect((await ask(all, '/v1/auth/session', { headers: { cookie } })).status).toBe(200);
    expect((await ask(all, '/v1/auth/logout', { method: 'POST', headers: { cookie } })).status).toBe(204);
    expect((await ask(api, '/v1/auth/session', { headers: { cookie } })).status).toBe(401);
    const body = JSON.stringify({ currentPassword: administrator.password, newPassword: 'the second password' });
    expect((await ask(api, '/v1/me/password', { method: 'POST', body })).status).toBe(204);
    expect((await ask(all, '/v1/auth/session', { headers: { cookie: other } })).status).toBe(401);
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

  test('a guardrail that is changed through one replica is in the bundle and the checks of the other', async () => {
    const { key } = await newKey();
    const headers = { 'x-api-key': key };
    const bundles = () =>
      Promise.all([api, all].map(async (service) => (await ask(service, '/v1/policy-bundle', { headers })).body));
    const check = async () =>
      (await ask(all, '/v1/guardrails/check', { method: 'POST', headers, body: '{"text":"a secret word"}' })).body;
    const terms = (...words: string[]) => JSON.stringify({ config: { terms: words } });
    const made = JSON.stringify({ slug: 'words', type: 'blocklist', config: { terms: ['other'] } });
    const { body: guardrail } = await ask(api, project('/guardrails'), { method: 'POST', body: made });
    await vi.waitFor(async () => {
      const [first, second] = await bundles();
      expect(first.guardrails).toHaveLength(1);
      expect(second.etag).toBe(first.etag);
    }, patience);
    expect(await check()).toMatchObject({ action: 'allow' });
    await ask(api, project(`/guardrails/${guardrail.id}`), { method: 'PATCH', body: terms('secret') });
    await vi.waitFor(async () => {
      const [first, second] = await bundles();
      expect(first.guardrails).toMatchObject([{ config: { terms: ['secret'] } }]);
      expect(second).toMatchObject({ etag: first.etag, version: first.version, guardrails: first.guardrails });
    }, patience);
    expect(await check()).toMatchObject({ action: 'block', policyVersion: (await bundles())[1].version });
    await ask(api, project(`/guardrails/${guardrail.id}`), { method: 'DELETE' });
    await vi.waitFor(async () => expect((await bundles())[1].guardrails).toEqual([]), patience);
  });

  test('replicas share the rate limit of a key', async () => {
    const said = (words: string) => [api, all].map((service) => service.output().split(words).length).reduce((a, b) => a + b);
    const sharing = () => [said('counts in this replica alone'), said('is shared in')] as const;
    const attempts: Array<{ statuses: number[]; most: number }> = [];
    await vi.waitFor(async () => {
      const [before] = sharing();
      const { key } = await newKey();
      const began = performance.now();
      const statuses = await Promise.all(
        Array.from(
          { length: 500 },
          async (_, index) => (await send(index % 2 === 0 ? api : all, key, { type: 'nothing' })).status,
        ),
      );
      attempts.push({ statuses, most: 300 + 5 * ((performance.now() - began) / 1000 + 1) });
      // A replica whose store takes longer than half a second counts alone for 5 seconds, and says so: on a busy machine that proves nothing of sharing.
      const [alone, again] = sharing();
      expect([alone, again]).toEqual([before, alone]);
    }, patience);
    expect(attempts.flatMap(({ statuses }) => statuses).filter((status) => status !== 400 && status !== 429)).toEqual([]);
    const { statuses = [], most = 0 } = attempts.at(-1) ?? {};
    const through = statuses.filter((status) => status === 400).length;
    expect(through).toBeGreaterThanOrEqual(290);
    expect(through).toBeLessThanOrEqual(most);
    const { rows } = await database.query('SELECT tokens FROM rate_buckets ORDER BY at_ms DESC LIMIT 1');
    expect(rows).toHaveLength(1);
  });

  test('the quota and a body sent again count once over the replicas', async () => {
    // A new organization without events.
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

  test('an incident opens once, and each of its notifications is sent once', async () => {
    const receiver = await openWebhookReceiver();
    const channels = ['/one', '/two'].map((path) => ({ type: 'webhook', url: receiver.url + path }));
    const rule = (name: string) => ({ name, type: 'cost', threshold: 1_000, noData: 'fire', minCount: 1_000, channels });
    const ruleIds: string[] = [];
    for (const name of ['a', 'b', 'c', 'd'])
      ruleIds.push((await ask(api, project('/alerts'), { method: 'POST', body: JSON.stringify(rule(name)) })).body.id);
    const incidents = async (): Promise<Incident[]> => (await ask(all, project('/incidents?limit=200'))).body.incidents;
    const opened = async (times: number) => {
      const found = await incidents();
      for (const id of ruleIds) expect(found.filter(({ ruleId }) => ruleId === id)).toHaveLength(times);
    };
    const changes = 4;
    for (let change = 1; change <= changes; change++) {
      await vi.waitFor(() => opened(change), patience);
      const body = JSON.stringify(change < changes ? { threshold: 1_000 + change } : { enabled: false });
      for (const id of ruleIds) await ask(change % 2 === 0 ? api : all, project(`/alerts/${id}`), { method: 'PATCH', body });
    }
    await opened(changes);
    const expected = (await incidents()).flatMap(({ id, events }) =>
      events.flatMap(({ kind }) => ['/one', '/two'].map((path) => `${path} ${id} incident.${kind}`)),
    );
    expect(expected).toHaveLength(ruleIds.length * changes * 2 * 2);
    const unsent = "SELECT count(*) AS n FROM notification_deliveries WHERE status <> 'delivered'";
    await vi.waitFor(async () => expect(await count(unsent)).toBe(0), patience);
    expect(await count('SELECT max(attempts) AS n FROM notification_deliveries')).toBe(1);
    const sent = receiver.received.map(({ path, body }) => {
      const { type, data } = JSON.parse(body) as Json;
      return `${path} ${data.id} ${type}`;
    });
    expect(sent.toSorted()).toEqual(expected.toSorted());
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(sent.length);
    await receiver.close();
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

  test('a repricing that both replicas are asked for runs once, with the same figures on both', async () => {
    const model = 'replicas/own-model';
    const [first, second] = [await newKey(), await newKey()];
    const sendCalls = async (service: Service, key: string, from: number, to: number) => {
      for (let sent = from; sent < to; sent += 100) {
        const more = { model, costUsd: undefined, usage: { inputTokens: 1_000 } };
        const events = Array.from({ length: 100 }, (_, index) => call(`reprice-${sent + index}`, `s${sent + index}`, more));
        expect((await send(service, key, ...events)).status).toBe(202);
      }
    };
    // More than a page of a repricing has, over both replicas.
    await Promise.all([sendCalls(api, first.key, 0, 600), sendCalls(all, second.key, 600, 1_200)]);
    const figures = async (service: Service): Promise<Json> => {
      const { models } = (await ask(service, project('/models?range=7d'))).body;
      const found = models.find((one: Json) => one.model === model) ?? {};
      return { calls: found.total_calls, cost: found.total_cost, unpriced: found.unpriced_calls };
    };
    await vi.waitFor(async () => expect(await figures(all)).toEqual({ calls: 1_200, cost: 0, unpriced: 1_200 }), patience);
    const price = JSON.stringify({ inputPerMillion: 2_000, outputPerMillion: 0 });
    expect((await ask(api, project(`/prices/${encodeURIComponent(model)}`), { method: 'PUT', body: price })).status).toBe(200);
    const dayMs = 86_400_000;
    const range = { from: new Date(Date.now() - dayMs).toISOString(), to: new Date(Date.now() + dayMs).toISOString() };
    const asked = { method: 'POST', body: JSON.stringify({ ...range, models: [model] }) };
    const answers = await Promise.all([api, all].map((service) => ask(service, project('/prices/reprice'), asked)));
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 409]);
    const { id } = answers.find(({ status }) => status === 202)?.body ?? {};
    // Calls that arrive meanwhile, at the replica where the price was set, have it already.
    await sendCalls(api, first.key, 1_200, 1_300);
    for (const service of [api, all]) {
      const read = async () => (await ask(service, project(`/prices/reprice/${id}`))).body;
      await vi.waitFor(async () => expect((await read()).status).toBe('completed'), patience);
      // It also reads what arrived before it came there, which has the price already.
      const { spans, changed, costBefore, costAfter } = await read();
      expect([changed, costBefore, costAfter]).toEqual([1_200, 2 * (spans - 1_200), 2 * spans]);
      await vi.waitFor(async () => expect(await figures(service)).toEqual({ calls: 1_300, cost: 2_600, unpriced: 0 }), patience);
    }
    const ended = `SELECT count(*) AS n FROM audit_entries WHERE kind = 'repricing.ended' AND subject = $1`;
    expect(await count(ended, [id])).toBe(1);
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
    await expect(start).rejects.toThrow(/spanwise cannot start: .*set SPANWISE_SECRET_KEY to .*, the same for every replica/s);
    await directory.remove();
  });
});
