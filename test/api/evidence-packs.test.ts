import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Evidence, EvidencePack } from '../../src/contract/evidence-packs.ts';
import { systemActor } from '../../src/contract/actor.ts';
import { recordAudits } from '../../src/features/audit/index.ts';
import { evidenceSources } from '../../src/features/compliance/evidence/evidence-sources.ts';
import { soc2Controls } from '../../src/features/compliance/soc2-controls.ts';
import { addMember } from '../support/add-member.ts';
import { openGovernance } from '../support/governance.ts';
import type { Governance } from '../support/governance.ts';
import { policy, policyFile } from '../support/policy-files.ts';
import { dayMs } from '../../src/contract/durations.ts';

const nowMs = Date.UTC(2026, 10, 22, 10);
const at = (ms: number) => new Date(ms).toISOString();

let service: Governance;

beforeAll(async () => {
  service = await openGovernance(nowMs);
});
afterAll(() => service.close());

async function ok<T = { id: string }>(answer: Promise<{ status: number; body: unknown; text: string }>): Promise<T> {
  const { status, body, text } = await answer;
  if (status >= 300) throw new Error(`a request answered ${status}: ${text}`);
  return body as T;
}

/** Access: members, roles, keys, sign-ins. */
async function changeAccess(): Promise<void> {
  const { organizationId, url } = service.app;
  const members = `/v1/organizations/${organizationId}/members`;
  const person = { email: 'new@example.com', name: 'New', role: 'viewer', password: 'a password of theirs' };
  const member = await addMember(url, { cookie: service.app.cookie }, organizationId, person);
  await ok(service.ownerAt('PATCH', `${members}/${member.userId}`, { role: 'member' }));
  const key = await ok(service.owner('POST', '/api-keys', { name: 'short-lived' }));
  await ok(service.owner('DELETE', `/api-keys/${key.id}`));
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ email: 'new@example.com', password: 'a wrong password' });
  expect((await fetch(`${url}/v1/auth/login`, { method: 'POST', headers, body })).status).toBe(401);
}

/** Governance: policies from files and the dashboard, checks, evaluators, prompts. */
async function govern(): Promise<void> {
  const files = [
    policyFile('a.yaml', policy('Environment', 'production'), policy('Guardrail', 'no-secrets', { type: 'secrets' })),
  ];
  const { planId } = await ok<{ planId: string }>(service.owner('POST', '/policies/plan', { files }));
  await ok(service.owner('POST', '/policies/apply', { planId, files }));
  await ok(service.owner('POST', '/guardrails', { slug: 'no-pii', type: 'pii' }));
  await ok(
    service.ownerAt('POST', `/v1/guardrails/check?projectId=${service.app.projectId}`, {
      text: 'mail a@example.com',
      stage: 'input',
    }),
  );
  // Counted by an application with an API key.
  const counts = { checks: 4, flagged: 0, redacted: 0, blocked: 1, failed: 0 };
  const report = { guardrail: 'no-pii', stage: 'input', at: at(nowMs), ...counts, reportId: 'r-1' };
  const byKey = { 'x-api-key': service.app.apiKey, 'content-type': 'application/json' };
  const reports = JSON.stringify({ reports: [report] });
  expect((await fetch(`${service.app.url}/v1/guardrails/report`, { method: 'POST', headers: byKey, body: reports })).status).toBe(
    202,
  );
  await service.app.features.guardrails.flushActivity();
  await ok(service.owner('POST', '/evaluators', { slug: 'quick', type: 'latency', config: { maxMs: 1 }, target: 'span' }));
  await ok(service.owner('POST', '/model-connections', { name: 'Local', baseUrl: 'http://127.0.0.1:9/v1', model: 'm' }));
  await ok(service.key('POST', '/changes', { kind: 'deploy', service: 'api', version: '1' }));
  const project = `projectId=${service.app.projectId}`;
  await ok(service.ownerAt('POST', `/v1/prompts?${project}`, { name: 'p', prompt: 'Hello' }));
  await ok(service.ownerAt('PATCH', `/v1/prompts/p/labels?${project}`, { version: 1, labels: ['production'] }));
  const dataset = await ok(service.ownerAt('POST', `/v1/datasets?${project}`, { name: 'Questions' }));
  await ok(service.ownerAt('POST', `/v1/datasets/${dataset.id}/runs?${project}`, { name: 'first' }));
}

/** Operations: calls of a model that retires, an incident, and what people did about both. */
async function operate(): Promise<void> {
  const span = { type: 'span', traceId: 't', spanId: 's', name: 'chat', kind: 'llm', model: 'old-1', provider: 'acme' };
  const times = { startTime: at(nowMs - 60_000), endTime: at(nowMs - 59_000) };
  await service.ingest(service.app.apiKey, [{ ...span, ...times, promptName: 'p', promptVersion: 1 }]);
  await ok(service.owner('PUT', '/model-lifecycle/catalogue/old-1', { retiresOn: at(nowMs + dayMs).slice(0, 10) }));
  await ok(service.owner('POST', '/model-lifecycle/scan'));
  const { findings } = await ok<{ findings: Array<{ id: string }> }>(service.owner('GET', '/model-lifecycle/findings'));
  await ok(service.owner('POST', `/model-lifecycle/findings/${findings[0]?.id}/dismiss`));
  const rule = { name: 'silent', type: 'cost', threshold: 1, filter: { models: ['none'] }, noData: 'fire' };
  await ok(service.owner('POST', '/alerts', rule));
  for (const job of service.app.features.alerts.jobs ?? []) await job.run(new AbortController().signal);
  const { incidents } = await ok<{ incidents: Array<{ id: string }> }>(service.owner('GET', '/incidents'));
  service.app.clock.advance(90_000);
  await ok(service.owner('PATCH', `/incidents/${incidents[0]?.id}`, { status: 'acknowledged' }));
  await ok(service.owner('POST', `/incidents/${incidents[0]?.id}/fix-proposals`, { promptName: 'p', connection: 'Local' }));
}

/** Records that jobs and other processes write. */
async function addRecords(): Promise<void> {
  const { stores, clock, organizationId, projectId } = service.app;
  const { db } = stores.postgres;
  const [message, now] = [uuidv7(), new Date(clock.now())];
  await sql`INSERT INTO backup_runs (id, finished_at, stores) VALUES (${uuidv7()}::uuid, ${now}, 'embedded')`.execute(db);
  await sql`INSERT INTO notification_messages (id, project_id, type, body, created_at)
    VALUES (${message}::uuid, ${projectId}::uuid, 'test', '{}', ${now})`.execute(db);
  await sql`INSERT INTO notification_deliveries (id, project_id, rule_id, message_id, channel_id, url, sealed_secret, history, lane, status,
      attempts, run_at, created_at, finished_at)
    VALUES (${uuidv7()}::uuid, ${projectId}::uuid, ${uuidv7()}::uuid, ${message}::uuid, ${uuidv7()}::uuid, 'https://example.com/secret-path', 'sealed',
      '[]', 'webhook', 'delivered', 2, ${now}, ${now}, ${now})`.execute(db);
  for (const passed of [true, true, false]) {
    await sql`INSERT INTO evaluations (id, project_id, evaluator_id, evaluator, lane, target_type, score_id, status, passed, run_at, created_at, finished_at)
      VALUES (${uuidv7()}::uuid, ${projectId}::uuid, ${uuidv7()}::uuid, 'quick', 'quick', 'span', ${uuidv7()}::uuid, 'completed', ${passed}, ${now}, ${now}, ${now})`.execute(
      db,
    );
  }
  const detail = { before: at(nowMs - 365 * dayMs), tables: ['spans'] };
  await db
    .transaction()
    .execute((transaction) =>
      recordAudits(transaction, clock, [
        { organizationId, projectId, kind: 'retention.deleted', actor: systemActor, subject: projectId, detail },
      ]),
    );
}

test('with records of every kind every source is evidence, and each control is what records can show of it', async () => {
  await changeAccess();
  await govern();
  await operate();
  await addRecords();
  service.app.clock.advance(1_000);
  const range = { framework: 'soc2', from: at(nowMs - 30 * dayMs), to: at(service.app.clock.now()) };
  // The pack's own entry is later.
  service.app.clock.advance(1);
  const pack = await ok<EvidencePack>(service.owner('POST', '/evidence-packs', range));
  const evidence = new Map<string, Evidence>(pack.controls.flatMap((control) => control.evidence.map((one) => [one.type, one])));
  expect([...evidence.keys()].sort()).toEqual(Object.keys(evidenceSources).sort());
  const statuses = { whole: 'evidenced', part: 'partial', nothing: 'none' } as const;
  expect(pack.controls.map(({ controlId, status }) => [controlId, status])).toEqual(
    soc2Controls.map(({ controlId, reach }) => [controlId, statuses[reach]]),
  );

  const sample = (type: string) => evidence.get(type)?.sample ?? [];
  expect(sample('members')).toMatchObject([{ email: 'new@example.com', role: 'member' }, { role: 'owner' }]);
  expect(sample('guardrails_in_force')).toMatchObject([
    { name: 'no-pii', managedBy: 'dashboard' },
    { name: 'no-secrets', managedBy: 'code' },
  ]);
  expect(sample('incidents')).toMatchObject([{ ruleName: 'silent', status: 'acknowledged', secondsToAcknowledge: 90 }]);
  expect(sample('evaluations')).toEqual([
    { day: '2026-11-22', evaluator: 'quick', targetType: 'span', status: 'completed', count: 3, passed: 2, failed: 1 },
  ]);
  expect(sample('models_called')).toMatchObject([{ model: 'old-1', provider: 'acme', calls: 1 }]);
  expect(sample('guardrail_days')).toMatchObject([{ day: '2026-11-22', checks: 5, checksReportedByApiKey: 4 }]);
  expect(sample('guardrail_results')).toContainEqual(
    expect.objectContaining({ guardrail: 'no-pii', checks: 5, checksReportedByApiKey: 4 }),
  );
  expect(sample('monthly_events')).toMatchObject([{ month: '2026-11' }]);
  expect(JSON.stringify(pack)).not.toMatch(/secret-path|sealed|argon2|secret_sha256/);
  expect(await ok(service.owner('GET', `/evidence-packs/${pack.id}/verify`))).toMatchObject({ valid: true });

  // The log of the pack's range is that of the audit log's page.
  const { audit } = pack;
  const { entries } = await ok<{ entries: Array<{ seq: number; hash: string }> }>(
    service.ownerAt(
      'GET',
      `/v1/organizations/${service.app.organizationId}/audit-log?limit=200&from=${range.from}&to=${range.to}`,
    ),
  );
  const place = (entry: { seq: number; hash: string } | undefined) => ({ seq: entry?.seq, hash: entry?.hash });
  expect(audit).toEqual({ from: place(entries.at(-1)), to: place(entries[0]), entries: entries.length });
});
