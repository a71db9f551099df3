import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestProject } from '../../../test/support/test-projects.ts';
import { alertRule } from '../../contract/alerts.ts';
import type { AuditEntry } from '../../contract/audit.ts';
import { incident } from '../../contract/incidents.ts';
import { emptySpan } from '../records/records.fixture.ts';
import { nowMs, openAlertsService } from './alerts-service.fixture.ts';
import type { AlertsService } from './alerts-service.fixture.ts';

let service: AlertsService;
let project: TestProject;
beforeAll(async () => {
  service = await openAlertsService();
  project = await service.project();
  await service.environment(project, 'production');
});
afterAll(() => service.close());

const unknownId = '0197a000-0000-7000-8000-000000000009';
let made = 0;
const body = (given: object = {}) => ({ name: `rule ${++made}`, type: 'error-rate', threshold: 0.5, ...given });
/** Fires at its first evaluation. */
const silent = (given: object = {}) => body({ type: 'cost', threshold: 1, noData: 'fire', ...given });
const member = (method: string, path: string, sent?: unknown) => service.as('member', project, method, path, sent);
const owner = (method: string, path: string, sent?: unknown) => service.as('owner', project, method, path, sent);
const incidentOf = async (ruleId: string) => {
  const found = (await owner('GET', `/incidents?ruleId=${ruleId}`)).body.incidents;
  expect(found).toHaveLength(1);
  return found[0];
};

describe('the expression of a filter', () => {
  test('is kept as it was given, beside the other fields', async () => {
    const filter = { models: ['m'], expression: '  latency:>2s   NOT user:test ' };
    const { body: created } = await member('POST', '/alerts', body({ filter }));
    expect(created.filter).toEqual(filter);
    expect((await member('PATCH', `/alerts/${created.id}`, { name: `rule ${++made}` })).body.filter).toEqual(filter);
    const changed = { expression: 'status:error' };
    expect((await member('PATCH', `/alerts/${created.id}`, { filter: changed })).body.filter).toEqual(changed);
  });

  test.each([
    ['latncy:>2s', { start: 0, end: 6, suggestion: 'latency' }],
    ['kind:llm spans:>3', { start: 9, end: 14 }],
    ['status:failed', { start: 7, end: 13 }],
  ])('%s: 400 with the place, in a preview too', async (expression, at) => {
    for (const path of ['/alerts', '/alerts/preview']) {
      const { status, body: refused } = await member('POST', path, body({ filter: { expression } }));
      expect([status, refused.code]).toEqual([400, 'invalid_filter']);
      expect(refused.details).toMatchObject([{ path: '/filter/expression', ...at }]);
    }
  });

  test.each([
    ['quality', { threshold: 0.5 }],
    ['guardrail', { threshold: 1 }],
    ['ingest-stopped', { threshold: undefined }],
  ])('400 for a rule of type %s, which is not over calls', async (type, more) => {
    const { status, body: refused } = await member('POST', '/alerts', body({ type, ...more, filter: { expression: 'a' } }));
    expect([status, refused.code]).toEqual([400, 'invalid_request']);
    expect(refused.details).toMatchObject([{ path: '/filter/expression' }]);
  });

  test('narrows the calls and the sample traces of an incident', async () => {
    const other = await service.project();
    const startNs = BigInt(service.clock.now() - 60_000) * 1_000_000n;
    const call = (traceId: string, more: object) => ({
      ...emptySpan,
      traceId,
      spanId: `${traceId}-call`,
      parentSpanId: `${traceId}-root`,
      kind: 'llm' as const,
      model: 'm',
      startNs,
      endNs: startNs + 1_000_000_000n,
      ...more,
    });
    const root = (traceId: string, userId: string) => ({
      ...emptySpan,
      traceId,
      spanId: `${traceId}-root`,
      kind: 'agent' as const,
      userId,
      startNs,
    });
    await service.store(other, {
      spans: [
        ...['a', 'b', 'c'].flatMap((id) => [root(id, id === 'c' ? 'bo' : 'ada'), call(id, { costUsd: 2, output: '"a refund"' })]),
        root('d', 'ada'),
        call('d', { costUsd: 5, output: '"nothing"' }),
      ],
    });
    const as = (method: string, path: string, sent?: unknown) => service.as('member', other, method, path, sent);
    const rule = { name: 'refunds', type: 'cost', threshold: 3, filter: { expression: 'user:ada output:refund' } };
    const { body: created } = await as('POST', '/alerts', rule);
    await as('POST', '/alerts', { ...rule, name: 'of nobody', filter: { expression: 'user:nobody' } });
    await service.evaluate();
    const { body: read } = await as('GET', '/alerts');
    expect(read.alerts.map(({ lastValue, state }: { lastValue: number; state: string }) => [lastValue, state])).toEqual([
      [4, 'firing'],
      [null, 'no_data'],
    ]);
    const [opened] = (await as('GET', `/incidents?ruleId=${created.id}`)).body.incidents;
    const { body: detail } = await as('GET', `/incidents/${opened.id}`);
    expect((detail.incident ?? detail).sampleTraceIds.toSorted()).toEqual(['a', 'b']);
  });

  test('that a later release does not read fails alone, and says why', async () => {
    const other = await service.project();
    const as = (method: string, path: string, sent?: unknown) => service.as('member', other, method, path, sent);
    const { body: created } = await as('POST', '/alerts', body({ filter: { expression: 'name:a' } }));
    const { body: sound } = await as('POST', '/alerts', body({ filter: { expression: 'name:b' } }));
    await service.db
      .updateTable('alert_rules')
      .set({ filter: JSON.stringify({ expression: 'gone:a' }) })
      .where('id', '=', created.id)
      .execute();
    await service.evaluate();
    expect((await as('GET', `/alerts/${created.id}`)).body.lastError).toContain('There is no field gone');
    expect((await as('GET', `/alerts/${sound.id}`)).body).toMatchObject({ lastError: null, state: 'no_data' });
    service.failures.length = 0;
    await as('DELETE', `/alerts/${created.id}`);
  });
});

describe('a rule', () => {
  test('has the defaults of its type', async () => {
    const { status, body: created } = await member('POST', '/alerts', body());
    expect(status).toBe(201);
    expect(alertRule.strict().parse(created)).toEqual({
      id: created.id,
      projectId: project.projectId,
      name: created.name,
      type: 'error-rate',
      count: null,
      threshold: 0.5,
      window: '15m',
      filter: {},
      environment: null,
      groupBy: null,
      minCount: 20,
      forMinutes: 0,
      recoveryThreshold: 0.5,
      noData: 'keep',
      renotifyMinutes: null,
      channels: [],
      enabled: true,
      state: 'ok',
      lastValue: null,
      lastEvaluatedAt: null,
      lastError: null,
      createdAt: new Date(nowMs).toISOString(),
      updatedAt: new Date(nowMs).toISOString(),
    });
    expect((await service.as('key', project, 'GET', `/alerts/${created.id}`)).body).toEqual(created);
  });

  test.each([
    ['latency', { threshold: 1 }, 20],
    ['cost', { threshold: 1 }, 1],
    ['quality', { threshold: 1 }, 5],
    ['guardrail', { threshold: 1 }, 1],
    ['ingest-stopped', { threshold: undefined }, null],
    ['model-lifecycle', { threshold: undefined }, null],
  ])('of type %s counts at least so many', async (type, given, minCount) => {
    const created = await member('POST', '/alerts', body({ type, ...given }));
    expect([created.status, created.body.minCount]).toEqual([201, minCount]);
    expect(created.body.window).toBe(type === 'model-lifecycle' ? null : '15m');
  });

  test.each<[object, string]>([
    [{ name: '' }, '/name'],
    [{ name: 'a'.repeat(101) }, '/name'],
    [{ unknown: 1 }, '/unknown'],
    [{ state: 'ok' }, '/state'],
    [{ type: 'other' }, '/type'],
    [{ window: '7m' }, '/window'],
    [{ threshold: undefined }, '/threshold'],
    [{ threshold: null }, '/threshold'],
    [{ threshold: 1.5 }, '/threshold'],
    [{ threshold: '1' }, '/threshold'],
    [{ recoveryThreshold: 0.6 }, '/recoveryThreshold'],
    [{ type: 'quality', recoveryThreshold: 0.4 }, '/recoveryThreshold'],
    [{ type: 'guardrail', threshold: 5, recoveryThreshold: 6 }, '/recoveryThreshold'],
    [{ type: 'guardrail', threshold: 0 }, '/threshold'],
    [{ type: 'latency', threshold: -1 }, '/threshold'],
    [{ minCount: 0 }, '/minCount'],
    [{ forMinutes: -1 }, '/forMinutes'],
    [{ environment: 'nowhere' }, '/environment'],
    [{ groupBy: 'operation' }, '/groupBy'],
    [{ type: 'guardrail', threshold: 1, groupBy: 'model' }, '/groupBy'],
    [{ type: 'latency', filter: { evaluators: ['a'] } }, '/filter/evaluators'],
    [{ type: 'guardrail', threshold: 1, filter: { models: ['a'] } }, '/filter/models'],
    [{ filter: { models: [] } }, '/filter/models'],
    [{ filter: { unknown: ['a'] } }, '/filter/unknown'],
    [{ type: 'ingest-stopped' }, '/threshold'],
    [{ type: 'ingest-stopped', threshold: undefined, environment: 'production' }, '/environment'],
    [{ type: 'ingest-stopped', threshold: undefined, minCount: 1 }, '/minCount'],
    [{ type: 'model-lifecycle', threshold: undefined, window: '5m' }, '/window'],
    [{ type: 'model-lifecycle' }, '/threshold'],
    [{ channels: [{ type: 'email', to: [] }] }, '/channels/0/to'],
    [{ channels: Array.from({ length: 11 }, () => ({ type: 'email', to: ['a@example.com'] })) }, '/channels'],
  ])('with %j is 400', async (given, path) => {
    for (const target of ['/alerts', '/alerts/preview']) {
      const answer = await member('POST', target, body(given));
      expect([answer.status, answer.body.code], answer.text).toEqual([400, 'invalid_request']);
      expect(answer.body.details.map((detail: { path: string }) => detail.path)).toContain(path);
    }
  });

  test('with a taken name is 409, also for concurrent requests and a PATCH', async () => {
    const same = body();
    const answers = await Promise.all([1, 2, 3].map(() => member('POST', '/alerts', same)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
    const other = await service.rule(project, body());
    const renamed = await member('PATCH', `/alerts/${other.id}`, { name: same.name });
    expect([renamed.status, renamed.body.code]).toEqual([409, 'conflict']);
    expect((await member('PATCH', `/alerts/${other.id}`, { name: other.name })).status).toBe(200);
  });

  test('is listed in pages, oldest first', async () => {
    const all = (await member('GET', '/alerts?limit=200')).body.alerts;
    const first = (await member('GET', '/alerts?limit=2')).body;
    const second = (await member('GET', `/alerts?limit=2&cursor=${first.nextCursor}`)).body;
    expect([...first.alerts, ...second.alerts]).toEqual(all.slice(0, 4));
  });
});

describe('access', () => {
  test.each([
    ['POST', '/alerts'],
    ['POST', '/alerts/preview'],
    ['PATCH', `/alerts/${unknownId}`],
    ['DELETE', `/alerts/${unknownId}`],
    ['POST', `/alerts/${unknownId}/test`],
    ['POST', `/alerts/${unknownId}/deliveries/${unknownId}/redeliver`],
    ['PATCH', `/incidents/${unknownId}`],
  ])('%s %s is 403 for a key, a viewer and nobody, before 404 and 400', async (method, path) => {
    for (const by of ['key', 'viewer', 'nobody'] as const) {
      expect((await service.as(by, project, method, path, { no: 1 })).status).toBe(403);
    }
  });

  test('an incident is changed by an admin, not by a member', async () => {
    expect((await member('PATCH', `/incidents/${unknownId}`, { status: 'resolved' })).status).toBe(403);
    expect((await service.as('admin', project, 'PATCH', `/incidents/${unknownId}`, { no: 1 })).status).toBe(404);
  });

  test.each(['/alerts', '/incidents', `/alerts/${unknownId}`, `/incidents/${unknownId}`, `/alerts/${unknownId}/deliveries`])(
    'GET %s is 401 without credentials',
    async (path) => {
      expect((await service.as('nobody', project, 'GET', path)).status).toBe(401);
      expect((await service.as('key', project, 'GET', path)).status).toBe(path.includes(unknownId) ? 404 : 200);
    },
  );

  test.each([
    ['PATCH', `/alerts/${unknownId}`],
    ['DELETE', '/alerts/nonsense'],
    ['PATCH', `/incidents/${unknownId}`],
    ['GET', '/incidents/nonsense'],
    ['GET', `/alerts/${unknownId}/deliveries?limit=0`],
  ])('%s %s is 404 before 400', async (method, path) => {
    expect((await owner(method, path, method === 'PATCH' ? { no: 1 } : undefined)).status).toBe(404);
  });

  test.each(['/alerts?limit=0', '/alerts?cursor=x', '/incidents?status=other', '/incidents?ruleId=x', '/incidents?from=now'])(
    'GET %s is 400',
    async (path) => {
      expect((await owner('GET', path)).status).toBe(400);
    },
  );
});

describe('a PATCH', () => {
  test('of the condition resolves the open incident, which stays listed, and the rule may fire anew', async () => {
    const rule = await service.rule(project, silent());
    await service.evaluate();
    const before = await incidentOf(rule.id);
    expect(incident.strict().parse(before)).toMatchObject({
      status: 'open',
      value: null,
      summary: 'There is no data in the last 15 minutes.',
    });
    const renamed = await member('PATCH', `/alerts/${rule.id}`, { name: `${rule.name} renamed`, renotifyMinutes: 5 });
    expect(renamed.body).toMatchObject({ state: 'firing' });
    expect((await incidentOf(rule.id)).status).toBe('open');
    const changed = await member('PATCH', `/alerts/${rule.id}`, { threshold: 2 });
    expect(changed.body).toMatchObject({ threshold: 2, recoveryThreshold: 2, state: 'ok', lastEvaluatedAt: null });
    expect(await incidentOf(rule.id)).toMatchObject({ status: 'resolved', resolution: 'rule changed', resolvedBy: 'system' });
    await service.evaluate();
    const all = (await owner('GET', `/incidents?ruleId=${rule.id}`)).body.incidents;
    expect(all.map(({ status }: { status: string }) => status)).toEqual(['open', 'resolved']);
    expect((await member('DELETE', `/alerts/${rule.id}`)).status).toBe(204);
  });

  test('that disables resolves too, and a disabled rule is not evaluated', async () => {
    const rule = await service.rule(project, silent());
    await service.evaluate();
    expect((await member('PATCH', `/alerts/${rule.id}`, { enabled: false })).body).toMatchObject({ enabled: false, state: 'ok' });
    expect(await incidentOf(rule.id)).toMatchObject({ status: 'resolved', resolution: 'rule disabled' });
    await service.evaluate();
    await incidentOf(rule.id);
  });

  test('of nothing changes nothing; of another type wants a threshold', async () => {
    const rule = await service.rule(project, body({ filter: { models: ['b', 'a', 'b'] } }));
    service.clock.advance(1_000);
    expect((await member('PATCH', `/alerts/${rule.id}`, { threshold: 0.5, recoveryThreshold: 0.5 })).body).toEqual(rule);
    expect((await member('PATCH', `/alerts/${rule.id}`, {})).body).toEqual(rule);
    expect((await member('PATCH', `/alerts/${rule.id}`, { type: 'latency' })).status).toBe(400);
    const changed = await member('PATCH', `/alerts/${rule.id}`, { type: 'quality', threshold: 0.7 });
    expect(changed.body).toMatchObject({ type: 'quality', threshold: 0.7, minCount: 5, filter: { models: ['b', 'a'] } });
    const stopped = await member('PATCH', `/alerts/${rule.id}`, { type: 'ingest-stopped', filter: {} });
    expect(stopped.body).toMatchObject({ threshold: null, minCount: null, window: '15m' });
  });
});

test('deleting a rule resolves its incident, and announces it before its channels are gone', async () => {
  const rule = await service.rule(project, silent({ channels: [{ type: 'email', to: ['a@example.com'] }] }));
  await service.evaluate();
  expect((await member('DELETE', `/alerts/${rule.id}`)).status).toBe(204);
  expect((await member('GET', `/alerts/${rule.id}`)).status).toBe(404);
  expect(await incidentOf(rule.id)).toMatchObject({ status: 'resolved', resolution: 'rule deleted' });
  const sent = service.channels.sent.filter(({ ruleId }) => ruleId === rule.id);
  expect(sent.map(({ type }) => type)).toEqual(['incident.opened', 'incident.resolved']);
  expect(sent[1]?.data).toMatchObject({ status: 'resolved', resolution: 'rule deleted' });
  expect(sent[1]?.path).toBe(`/o/acme/p/own/incidents/${sent[1]?.incidentId}`);
});

describe('an incident', () => {
  test('is acknowledged, then resolved, by a person', async () => {
    const rule = await service.rule(project, silent({ channels: [{ type: 'email', to: ['a@example.com'] }] }));
    await service.evaluate();
    const { id } = await incidentOf(rule.id);
    const path = `/incidents/${id}`;
    const patch = (sent: object) => owner('PATCH', path, sent);
    expect((await patch({ status: 'open' })).body.code).toBe('conflict');
    expect((await patch({ status: 'acknowledged', note: 1 })).status).toBe(400);
    const at = new Date(service.clock.now()).toISOString();
    const acknowledged = await patch({ status: 'acknowledged', note: 'I look' });
    expect(acknowledged.body).toMatchObject({ status: 'acknowledged', acknowledgedAt: at, resolvedAt: null });
    expect(acknowledged.body.events.at(-1)).toEqual({
      at,
      kind: 'acknowledged',
      by: acknowledged.body.acknowledgedBy,
      note: 'I look',
    });
    for (const status of ['acknowledged', 'open']) expect((await patch({ status })).status).toBe(409);
    const resolved = await patch({ status: 'resolved' });
    expect(resolved.body).toMatchObject({ status: 'resolved', resolution: 'manual', resolvedAt: at });
    for (const status of ['acknowledged', 'open', 'resolved']) expect((await patch({ status })).status).toBe(409);
    expect((await owner('GET', path)).body).toEqual(resolved.body);
    const types = service.channels.sent.filter(({ ruleId }) => ruleId === rule.id).map(({ type }) => type);
    expect(types).toEqual(['incident.opened', 'incident.acknowledged', 'incident.resolved']);
    await service.evaluate();
    expect((await member('GET', `/alerts/${rule.id}`)).body.state).toBe('no_data');
    await incidentOf(rule.id);
  });

  test('repeats its notification while it is open and not acknowledged', async () => {
    const rule = await service.rule(
      project,
      silent({ renotifyMinutes: 2, channels: [{ type: 'email', to: ['a@example.com'] }] }),
    );
    const sent = () => service.channels.sent.filter(({ ruleId }) => ruleId === rule.id).length;
    const minutes = async (count: number) => {
      for (let passed = 0; passed < count; passed++) {
        service.clock.advance(60_000);
        await service.evaluate();
      }
    };
    await minutes(1);
    expect(sent()).toBe(1);
    await minutes(4);
    expect(sent()).toBe(3);
    const { id, events } = await incidentOf(rule.id);
    expect(events.map(({ kind }: { kind: string }) => kind)).toEqual(['opened', 'notified', 'notified']);
    await owner('PATCH', `/incidents/${id}`, { status: 'acknowledged' });
    await minutes(4);
    expect(sent()).toBe(4);
    await member('DELETE', `/alerts/${rule.id}`);
  });

  test('is listed by status, rule, environment and time', async () => {
    const rule = await service.rule(project, silent({ environment: 'production' }));
    await service.evaluate();
    const { id, openedAt } = await incidentOf(rule.id);
    const ids = async (query: string) =>
      (await owner('GET', `/incidents?limit=200&${query}`)).body.incidents.map((one: { id: string }) => one.id);
    expect(await ids('environment=production&status=open')).toEqual([id]);
    expect(await ids('environment=production&status=resolved')).toEqual([]);
    expect(await ids(`ruleId=${rule.id}&from=${openedAt}&to=${openedAt}`)).toEqual([id]);
    expect(await ids(`ruleId=${rule.id}&from=${new Date(Date.parse(openedAt) + 1).toISOString()}`)).toEqual([]);
    expect((await owner('GET', `/incidents?from=${openedAt}&to=2020-01-01T00:00:00Z`)).status).toBe(400);
  });

  test('that was opened before changes had an idempotency key is read', async () => {
    const rule = await service.rule(project, silent());
    await service.evaluate();
    const { id } = await incidentOf(rule.id);
    const at = new Date(nowMs).toISOString();
    const names = { service: null, version: '1', commitSha: null, environment: null, actor: null, url: null, description: null };
    const change = { id, projectId: project.projectId, kind: 'deploy', ...names, at, metadata: {}, source: 'api', createdAt: at };
    await service.db
      .updateTable('incidents')
      .set({ changes: JSON.stringify([change]) })
      .where('id', '=', id)
      .execute();
    const { status, body: found } = await owner('GET', `/incidents/${id}`);
    expect([status, found.changes]).toEqual([200, [{ ...change, idempotencyKey: null }]]);
    expect(incident.strict().safeParse(found).error).toBeUndefined();
  });
});

test('acts of people are in the audit log', async () => {
  const other = await service.project();
  const rule = await service.rule(other, silent());
  await service.as('member', other, 'PATCH', `/alerts/${rule.id}`, { renotifyMinutes: 5, name: 'renamed' });
  await service.evaluate();
  const [opened] = await service.incidents(other);
  await service.as('owner', other, 'PATCH', `/incidents/${opened?.id}`, { status: 'resolved', note: 'done' });
  await service.as('member', other, 'DELETE', `/alerts/${rule.id}`);
  const entries = await auditOf(other);
  expect(entries.map(({ kind, subject, detail }) => [kind, subject, detail])).toEqual([
    ['alert.created', rule.id, { name: rule.name, type: 'cost', enabled: true }],
    ['alert.updated', rule.id, { name: 'renamed', type: 'cost', enabled: true, changed: ['name', 'renotifyMinutes'] }],
    ['incident.resolved', opened?.id, { rule: 'renamed', scope: null, from: 'open', note: 'done' }],
    ['alert.deleted', rule.id, { name: 'renamed', type: 'cost', enabled: true }],
  ]);
});

async function auditOf({ organizationId }: TestProject): Promise<Array<Pick<AuditEntry, 'kind' | 'subject' | 'detail'>>> {
  const tables = service.db.withTables<{
    audit_entries: { organization_id: string; seq: number; kind: string; subject: string; detail: string };
  }>();
  const rows = await tables
    .selectFrom('audit_entries')
    .select(['kind', 'subject', 'detail'])
    .where('organization_id', '=', organizationId)
    .orderBy('seq')
    .execute();
  return rows.map((row) => ({ ...row, detail: JSON.parse(row.detail) as Record<string, unknown> }));
}

test('a test message goes to every channel', async () => {
  const rule = await service.rule(project, body({ channels: [1, 2].map((n) => ({ type: 'email', to: [`a${n}@example.com`] })) }));
  const answer = await member('POST', `/alerts/${rule.id}/test`);
  expect([answer.status, answer.body.deliveries.length]).toEqual([202, 2]);
  expect(service.channels.sent.at(-1)).toMatchObject({ ruleId: rule.id, type: 'test', incidentId: null });
  expect((await member('GET', `/alerts/${rule.id}/deliveries`)).body).toEqual({ deliveries: [], nextCursor: null });
  expect((await member('POST', `/alerts/${rule.id}/deliveries/${unknownId}/redeliver`)).status).toBe(202);
});

test('messages are sent again a hundred times an hour', async () => {
  const rule = await service.rule(project, body({ channels: [{ type: 'email', to: ['a@example.com'] }] }));
  const again = () => member('POST', `/alerts/${rule.id}/deliveries/${unknownId}/redeliver`);
  let answer = await again();
  for (let sent = 1; sent < 100 && answer.status === 202; sent++) answer = await again();
  expect(answer.status === 202 ? await again() : answer).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
  service.clock.advance(36_000);
  expect((await again()).status).toBe(202);
});

test('raised findings go to the channels of enabled rules of type model-lifecycle', async () => {
  const channels = [{ type: 'email', to: ['a@example.com'] }];
  const given = { type: 'model-lifecycle', threshold: undefined, channels };
  const [on] = [await service.rule(project, body(given)), await service.rule(project, body({ ...given, enabled: false }))];
  const before = service.channels.sent.length;
  await service.db
    .transaction()
    .execute((transaction) => service.feature.raised(transaction, project.projectId, [{ id: '1' }, { id: '2' }]));
  expect(service.channels.sent.slice(before).map(({ ruleId, type, data }) => [ruleId, type, data['id']])).toEqual([
    [on?.id, 'model_lifecycle.raised', '1'],
    [on?.id, 'model_lifecycle.raised', '2'],
  ]);
});
