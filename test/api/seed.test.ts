import { afterAll, beforeAll, expect, test } from 'vitest';
import { guardrailActivity } from '../../src/cli/seed/guardrail-activity.ts';
import { seedGovernance } from '../../src/cli/seed/seed-governance.ts';
import { seed } from '../../src/cli/seed/seed.ts';
import { openGovernance } from '../support/governance.ts';
import type { Governance } from '../support/governance.ts';

const nowMs = Date.UTC(2026, 10, 20, 10);
const options = { seed: 3, days: 5, endMs: nowMs };
let service: Governance;

beforeAll(async () => {
  service = await openGovernance(nowMs);
});
afterAll(() => service.close());

test('a seeded project has environments, one of them without a record, guardrails and their activity', async () => {
  const { policies, guardrails, traceStore } = service.app.features;
  const { projectId, organizationId } = service.app;
  const target = { policies, guardrails, pipeline: traceStore.pipeline };
  const checks = await seedGovernance(target, { projectId, organizationId, plan: 'scale' }, options);
  await seed({ ...options, spans: 400 }, { send: async (events) => void (await service.app.send(events)) }, () => undefined);

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
