import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openGuard } from '../../packages/sdk/src/guard/index.ts';
import type { Guard } from '../../packages/sdk/src/guard/index.ts';
import { openGuardedProject } from '../support/guarded-project.ts';
import type { GuardedProject } from '../support/guarded-project.ts';
import { openSdkService } from '../support/sdk-service.ts';
import type { SdkService } from '../support/sdk-service.ts';

const startMs = Date.UTC(2026, 10, 21, 13);
const card = '4111 1111 1111 1111';
let project: GuardedProject;
let service: SdkService;
let guard: Guard;

beforeAll(async () => {
  project = await openGuardedProject(startMs, 1_000_000);
});
afterAll(() => project.close());
beforeEach(() => {
  service = openSdkService(project.app.url, project.app.apiKey, project.app.clock.now());
  guard = openGuard(service, { onUnavailable: 'block' });
});

const asked = () => service.asked.map(({ what, status }) => `${what} ${status}`);

test('reports count checks by guardrail, stage and environment, exactly', async () => {
  const before = await project.activity();
  for (let index = 0; index < 5; index += 1) await guard.check('a');
  await guard.check(card);
  await guard.check('forbidden');
  await guard.check(`forbidden ${card}`);
  await guard.check('sorry', { stage: 'output', environment: 'production' });
  for await (const piece of guard.stream(['so', 'rry'])) expect(piece).not.toBe('');
  service.away = true;
  service.clock.advance(10_000);
  await service.idle();
  service.away = false;
  service.clock.advance(10_000);
  await service.idle();
  const sent = service.asked.filter(({ what }) => what === 'POST /v1/guardrails/report');
  expect(sent.map(({ status }) => status)).toEqual([0, 202]);
  // The same reports with the same ids.
  expect(sent[1]?.body).toBe(sent[0]?.body);
  const after = await project.activity();
  const of = (activity: typeof after, slug: string) => activity.byGuardrail.find(({ guardrail }) => guardrail === slug);
  const more = (count: (activity: typeof after) => number | undefined) => (count(after) ?? 0) - (count(before) ?? 0);
  expect(more(({ totals }) => totals.checks)).toBe(10);
  expect(more(({ totals }) => totals.blocked)).toBe(2);
  expect(more(({ totals }) => totals.redacted)).toBe(1);
  expect(more(({ totals }) => totals.flagged)).toBe(2);
  expect(more((activity) => of(activity, 'cards')?.redacted)).toBe(2);
  expect(more((activity) => of(activity, 'cards')?.checks)).toBe(10);
  expect(more((activity) => of(activity, 'replies')?.flagged)).toBe(2);
  await guard.flush();
  expect(service.asked.filter(({ what }) => what === 'POST /v1/guardrails/report')).toHaveLength(2);
});

test.each([429, 503])('reports wait as long as an answer %d asks, whatever flushes meanwhile', async (status) => {
  const sentAtMs: number[] = [];
  const busy: SdkService = {
    ...service,
    request(path, request) {
      if (path !== '/v1/guardrails/report') return service.request(path, request);
      sentAtMs.push(service.clock.now() - project.app.clock.now());
      if (sentAtMs.length > 1) return service.request(path, request);
      return Promise.resolve({ status, ok: false, headers: new Headers({ 'retry-after': '120' }), body: {} });
    },
  };
  const patient = openGuard(busy, { onUnavailable: 'block' });
  await patient.check('a');
  for (const ms of [10_000, 60_000, 59_999]) {
    service.clock.advance(ms);
    await service.idle();
    await patient.flush();
  }
  expect(sentAtMs).toEqual([10_000]);
  service.clock.advance(1);
  await service.idle();
  expect(sentAtMs).toEqual([10_000, 130_000]);
  expect(asked().at(-1)).toBe('POST /v1/guardrails/report 202');
  await patient.close();
  expect(sentAtMs).toHaveLength(2);
});

test('reports that cannot be sent are limited, and dropped with a word', async () => {
  const words = fc.sample(fc.uuid(), 250);
  service.away = false;
  await guard.check('a');
  service.away = true;
  for (const [index] of words.entries()) {
    for (let round = 0; round < 5; round += 1) await guard.check('a', { stage: round % 2 === 0 ? 'input' : 'output' });
    await guard.flush();
    service.clock.advance(index);
  }
  await guard.check('a');
  const reported = service.reported.filter((message) => message.includes('were dropped'));
  expect(reported).toEqual([]);
  for (let round = 0; round < 300; round += 1) {
    for (const stage of ['input', 'output'] as const) await guard.check('a', { stage });
    await guard.flush();
  }
  expect(service.reported.filter((message) => message.includes('were dropped')).length).toBeGreaterThan(0);
  service.away = false;
  await guard.close();
  const sent = service.asked.filter(({ what, status }) => what === 'POST /v1/guardrails/report' && status === 202);
  const reports = sent.flatMap(({ body }) => (JSON.parse(body) as { reports: unknown[] }).reports);
  expect(reports.length).toBeGreaterThan(1_900);
  expect(reports.length).toBeLessThanOrEqual(2_000);
  for (const { body } of sent) expect((JSON.parse(body) as { reports: unknown[] }).reports.length).toBeLessThanOrEqual(100);
});
