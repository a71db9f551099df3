import { Command } from 'commander';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordedIo } from '../../src/cli/client/command-io.fixture.ts';
import { runProgram } from '../../src/cli/client/run-command.ts';
import { seedCommand } from '../../src/cli/seed.ts';
import { demonstrationTraces } from '../../src/cli/seed/demonstration-traces.ts';
import { guardrailActivity } from '../../src/cli/seed/guardrail-activity.ts';
import { deploymentsOf } from '../../src/cli/seed/operations-scenario.ts';
import { seedComments } from '../../src/cli/seed/seed-comments.ts';
import { seedAlerts } from '../../src/cli/seed/seed-alerts.ts';
import { seedGovernance } from '../../src/cli/seed/seed-governance.ts';
import { seedOperations } from '../../src/cli/seed/seed-operations.ts';
import { seedPrompts } from '../../src/cli/seed/seed-prompts.ts';
import { seedSimulations } from '../../src/cli/seed/seed-simulations.ts';
import { seed } from '../../src/cli/seed/seed.ts';
import type { SeedTarget } from '../../src/cli/seed/seed.ts';
import type { Incident } from '../../src/contract/incidents.ts';
import { openGovernance } from '../support/governance.ts';
import type { Governance } from '../support/governance.ts';

const nowMs = Date.UTC(2026, 10, 20, 10);
const options = { seed: 3, days: 5, endMs: nowMs };
let service: Governance;

beforeAll(async () => {
  service = await openGovernance(nowMs);
});
afterAll(() => service.close());

function target(): SeedTarget {
  const { url, apiKey } = service.app;
  return {
    send: async (events) => void (await service.app.send(events)),
    report: async (outcomes) => {
      const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' };
      const answer = await fetch(`${url}/v1/ingest/outcomes`, { method: 'POST', headers, body: JSON.stringify({ outcomes }) });
      expect(await answer.json()).toEqual({ accepted: outcomes.length, rejected: [] });
    },
  };
}

test('a seeded project has environments, one of them without a record, guardrails and their activity', async () => {
  const { policies, guardrails, traceStore } = service.app.features;
  const { projectId, organizationId } = service.app;
  const governance = { policies, guardrails, pipeline: traceStore.pipeline };
  const checks = await seedGovernance(governance, { projectId, organizationId, plan: 'scale' }, options);
  await seed({ ...options, spans: 400 }, target(), () => undefined);

  const listed = (await service.owner('GET', '/environments')).body;
  expect(listed.environments.map((one: { name: string }) => one.name)).toEqual(['production', 'staging']);
  expect(listed.unregistered.map((one: { name: string }) => one.name)).toEqual(['preview']);
  const stored: Array<{ slug: string; managedBy: string; action: string }> = (await service.owner('GET', '/guardrails')).body
    .guardrails;
  expect(stored.map(({ managedBy }) => managedBy).toSorted()).toEqual(['code', ...Array.from({ length: 4 }, () => 'dashboard')]);
  expect(stored.find(({ managedBy }) => managedBy === 'code')).toMatchObject({ slug: 'no-card-numbers', action: 'redact' });
  const { revisions } = (await service.owner('GET', '/policies/revisions')).body as { revisions: Array<{ source: string }> };
  expect(revisions.map(({ source }) => source)).toEqual(['dashboard', 'dashboard', 'dashboard', 'dashboard', 'code', 'code']);
  const { totals, byGuardrail } = (await service.owner('GET', '/guardrails/activity?range=7d')).body;
  expect(totals.checks).toBe(checks);
  expect(totals.allowed + totals.flagged + totals.redacted + totals.blocked).toBe(checks);
  expect(byGuardrail).toHaveLength(5);
});

test('the calls of a seeded project name prompts and versions that it has', async () => {
  const { prompts } = service.app.features;
  const { projectId, organizationId } = service.app;
  await seedPrompts(prompts, { projectId, organizationId, plan: 'scale' });
  const named = new Set<string>();
  for (const event of [...demonstrationTraces({ ...options, spans: 400 })].flat())
    if ('promptName' in event) named.add(`${String(event['promptName'])}?version=${String(event['promptVersion'])}`);
  expect(named.size).toBeGreaterThan(4);
  for (const name of named) {
    const [prompt = '', version = ''] = name.split('?');
    const answer = await service.ownerAt(
      'GET',
      `/v1/prompts?name=${encodeURIComponent(prompt)}&${version}&projectId=${projectId}`,
    );
    expect([name, answer.status]).toEqual([name, 200]);
  }
});

test('the activity is the same for the same seed, and its checks agree with its results', () => {
  const records = [...guardrailActivity(options)];
  expect([...guardrailActivity(options)]).toEqual(records);
  expect([...guardrailActivity({ ...options, seed: 4 })]).not.toEqual(records);
  expect(new Set(records.map(({ activityId }) => activityId)).size).toBe(records.length);
  for (const { checks, flagged, redacted, blocked, failed, guardrails, atMs } of records) {
    expect(flagged + redacted + blocked).toBeLessThanOrEqual(checks);
    expect(failed).toBeLessThanOrEqual(checks);
    expect(atMs).toBeLessThan(nowMs);
    for (const one of guardrails) {
      expect([one.checks, one.latencies.length]).toEqual([checks, checks]);
      expect(one.flagged + one.redacted + one.blocked).toBeLessThanOrEqual(checks);
    }
  }
});

test('a seeded project has a finding in each band, one of them dismissed, and a deployment that made calls fail', async () => {
  const { changes, modelLifecycle } = service.app.features;
  const { projectId, organizationId } = service.app;
  const period = { ...options, spans: 3_000, deployments: deploymentsOf(options) };
  const { outcomes } = await seed(period, target(), () => undefined);
  await service.app.pipeline.drain();
  const { totals, byModel } = (await service.owner('GET', '/outcomes/summary')).body as {
    totals: Array<{ kind: string; count: number; cost: number }>;
    byModel: unknown[];
  };
  expect(new Set(totals.map(({ kind }) => kind))).toEqual(
    new Set(['change.merged', 'plan.upgraded', 'report.accepted', 'ticket.resolved']),
  );
  expect(totals.reduce((sum, { count }) => sum + count, 0)).toBeGreaterThanOrEqual(outcomes);
  expect(totals.every(({ cost }) => cost > 0)).toBe(true);
  expect(byModel.length).toBeGreaterThan(5);
  const seeded = await seedOperations({ changes, modelLifecycle }, { projectId, organizationId, plan: 'scale' }, options);

  const { findings } = (await service.owner('GET', '/model-lifecycle/findings')).body as {
    findings: Array<{ band: number; state: string }>;
  };
  expect(findings.filter(({ state }) => state === 'open').map(({ band }) => band)).toEqual([0, 7, 30, 90]);
  expect(findings.filter(({ state }) => state === 'dismissed')).toHaveLength(1);
  const listed = (await service.owner('GET', '/changes')).body.changes as Array<{ id: string; version: string; source: string }>;
  expect(listed.filter(({ source }) => source === 'api')).toHaveLength(seeded.changes);
  const bad = listed.find(({ version }) => version === '2.5.0');
  const { checks } = (await service.owner('GET', `/changes/${bad?.id}/impact?hours=12`)).body as {
    checks: Array<{ metric: string; verdict: string }>;
  };
  expect(checks.find(({ metric }) => metric === 'errorRate')).toMatchObject({ verdict: 'worse' });
});

test('a seeded project has rules of every type, and incidents that are open, acknowledged and resolved', async () => {
  const { alerts, incidents } = service.app.features;
  const { projectId, organizationId } = service.app;
  const seeded = await seedAlerts({ alerts, incidents }, { projectId, organizationId, plan: 'scale' }, options);

  const rules = (await service.owner('GET', '/alerts')).body.alerts as Array<{
    type: string;
    channels: unknown[];
    lastError: unknown;
  }>;
  const types = ['error-rate', 'latency', 'cost', 'quality', 'guardrail', 'ingest-stopped', 'model-lifecycle'];
  expect(rules.map(({ type }) => type)).toEqual(types);
  expect(rules.flatMap(({ channels }) => channels)).toEqual([]);
  expect(rules.map(({ lastError }) => lastError)).toEqual(rules.map(() => null));
  const listed = (await service.owner('GET', '/incidents')).body.incidents as Incident[];
  const failed = listed.find(({ type }) => type === 'error-rate');
  expect(failed).toMatchObject({ status: 'resolved', resolution: 'recovered', environment: 'production' });
  expect(failed?.changes.map(({ version }) => version)).toContain('2.5.0');
  expect(listed.find(({ type }) => type === 'latency')).toMatchObject({ status: 'acknowledged', acknowledgedBy: 'system' });
  const open = listed.filter(({ status }) => status === 'open');
  expect(new Set(open.map(({ type }) => type))).toEqual(new Set(['cost']));
  expect(seeded.incidents).toEqual({ open: open.length, acknowledged: 1, resolved: 1 });
});

test('a seeded project has comments that mention their author, and variety for filters to find', async () => {
  const { comments } = service.app.features;
  const { projectId, organizationId } = service.app;
  await service.app.pipeline.drain();
  const { user } = (await service.ownerAt('GET', '/v1/auth/session')).body as {
    user: { id: string; email: string; name: string };
  };
  expect(await seedComments(comments, { projectId, organizationId, plan: 'scale' }, { type: 'user', ...user })).toBe(4);
  const count = async (on: 'spans' | 'traces', filter: string) =>
    ((await service.owner('GET', `/${on}?limit=200&${new URLSearchParams({ filter })}`)).body[on] as unknown[]).length;
  expect([await count('traces', 'commented:true'), await count('spans', 'commented:true')]).toEqual([3, 2]);
  const { mentions } = (await service.ownerAt('GET', '/v1/me/mentions')).body as { mentions: unknown[] };
  expect(mentions).toHaveLength(1);
  for (const filter of [
    'metadata.customer.tier:enterprise tag:vip',
    'metadata.region:eu -metadata.locale:en-GB',
    'metadata.ticket:>50000',
    'any(kind:tool status:error)',
    'user:* session:* release:2.4.*',
  ])
    expect(await count('traces', filter), filter).toBeGreaterThan(0);
});

test('without deployments the traces of a seed stay as they were', () => {
  const period = { ...options, spans: 300 };
  const plain = [...demonstrationTraces(period)];
  const deployed = [...demonstrationTraces({ ...period, deployments: [] })];
  expect(deployed).toEqual(plain);
  expect([...demonstrationTraces({ ...period, deployments: deploymentsOf(period) })]).not.toEqual(plain);
});

test('a seeded project has two scenarios with three completed runs, of which one is worse', async () => {
  const { datasets, simulations } = service.app.features;
  const { projectId, organizationId } = service.app;
  expect(await seedSimulations({ datasets, simulations }, { projectId, organizationId, plan: 'scale' })).toEqual({
    scenarios: 2,
    runs: 3,
  });
  const { scenarios } = (await service.owner('GET', '/simulations/scenarios')).body;
  expect(scenarios.map(({ name }: { name: string }) => name)).toEqual(['Topic of a question', 'Topic in own words']);
  const { batchRuns } = (await service.owner('GET', '/simulations/batch-runs')).body;
  const [other, worse, main] = batchRuns;
  for (const run of [other, worse, main])
    expect(run).toMatchObject({ status: 'completed', counts: { total: 24, pending: 0, error: 0 } });
  const gated = await service.owner('POST', `/simulations/batch-runs/${worse.id}/gate`, { baselineBatchRunId: main.id });
  expect(gated.body).toMatchObject({ passed: false, compared: 24 });
});

test('a service that refuses, does not answer or is not named ends a seed with a sentence', async () => {
  const seedInto = async (...parameters: string[]) => {
    const io = recordedIo();
    await runProgram(new Command('spanwise').addCommand(seedCommand(io)), ['seed', '--spans', '10', ...parameters], io.terminal);
    return [io.terminal.code, io.terminal.errors];
  };
  const { url } = service.app;
  const refused = expect.stringMatching(/^spanwise: the service answered 401: Send a valid project API key [^\n]*$/) as string;
  expect(await seedInto('--url', url, '--key', 'spw_wrong')).toEqual([1, refused]);
  const unreachable = expect.stringMatching(/^spanwise: http:\/\/127\.0\.0\.1:1 cannot be reached [^\n]*--url$/) as string;
  expect(await seedInto('--url', 'http://127.0.0.1:1', '--key', 'spw_any')).toEqual([2, unreachable]);
  expect(await seedInto('--url', url)).toEqual([2, expect.stringContaining('--key')]);
  expect(await seedInto('--url', 'here', '--key', 'spw_any')).toEqual([2, expect.stringContaining('--url')]);
});
