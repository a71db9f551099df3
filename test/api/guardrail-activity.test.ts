import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { GuardrailActivity } from '../../src/contract/guardrails.ts';
import { refuses } from '../../src/features/model-connections/ask/fake-chat-server.fixture.ts';
import { openGuardedProject } from '../support/guarded-project.ts';
import type { GuardedProject } from '../support/guarded-project.ts';

const startMs = Date.UTC(2026, 10, 21, 13);
const card = '4111 1111 1111 1111';

let service: GuardedProject;

beforeAll(async () => {
  service = await openGuardedProject(startMs, 120);
});
afterAll(() => service.close());

const check: GuardedProject['check'] = (...request) => service.check(...request);
const activity: GuardedProject['activity'] = (query) => service.activity(query);

describe('the activity', () => {
  test('counts checks by their action, results by guardrail, and reports', async () => {
    const before = await activity();
    await check({ text: 'a forbidden word' });
    await check({ text: card, environment: 'production' });
    await check({ text: 'sorry', stage: 'output' });
    service.judges.answers(refuses(401));
    await check({ text: 'a', environment: 'judged' });
    const after = await activity();
    const difference = (field: keyof GuardrailActivity['totals']) => after.totals[field] - before.totals[field];
    expect({ checks: difference('checks'), allowed: difference('allowed'), flagged: difference('flagged') }).toEqual({
      checks: 4,
      allowed: 0,
      flagged: 1,
    });
    expect([difference('redacted'), difference('blocked'), difference('failed')]).toEqual([1, 2, 1]);
    const of = (from: GuardrailActivity, slug: string) => from.byGuardrail.find(({ guardrail }) => guardrail === slug);
    expect(of(after, 'cards')?.checks).toBe((of(before, 'cards')?.checks ?? 0) + 4);
    expect(of(after, 'judged')).toMatchObject({ type: 'llm_judge', p95LatencyMs: expect.any(Number) as number });
    expect(after.byGuardrail.map(({ guardrail }) => guardrail)).toEqual(
      after.byGuardrail.map(({ guardrail }) => guardrail).toSorted(),
    );
    expect(after.timeline).toEqual([
      {
        day: '2026-11-21',
        checks: after.totals.checks,
        flagged: after.totals.flagged,
        redacted: after.totals.redacted,
        blocked: after.totals.blocked,
      },
    ]);
    const grouped = await activity('?by=environment&guardrail=cards');
    expect(grouped.groups?.map(({ guardrail, key }) => [guardrail, key])).toEqual(
      expect.arrayContaining([
        ['cards', null],
        ['cards', 'production'],
      ]),
    );
    expect(await activity('?range=7d&by=day')).toMatchObject({
      groups: expect.arrayContaining([expect.objectContaining({ key: '2026-11-21' })]) as unknown,
    });
  });

  test('is replaced by a report that is sent again, and rejects bad reports one by one', async () => {
    const report = {
      guardrail: 'by-sdk',
      stage: 'output',
      at: new Date(startMs - 5 * 86_400_000).toISOString(),
      checks: 10,
      flagged: 1,
      redacted: 2,
      blocked: 3,
      failed: 0,
      reportId: 'r-1',
    };
    const bad = [
      { ...report, checks: -1 },
      { ...report, reportId: '' },
      { ...report, at: '2020-01-01T00:00:00Z' },
      { ...report, checks: 1 },
      'x',
      { ...report, colour: 'red' },
    ];
    const sent = await service.send<{ accepted: number; rejected: Array<{ index: number; error: string }> }>(
      '/v1/guardrails/report',
      {
        reports: [report, ...bad],
      },
    );
    expect([sent.status, sent.body.accepted, sent.body.rejected.map(({ index }) => index)]).toEqual([202, 1, [1, 2, 3, 4, 5, 6]]);
    expect(sent.body.rejected.slice(-2).map(({ error }) => error)).toEqual([
      'Correct the report: it must be an object.',
      'Correct the report: /colour is not a known field; leave it out.',
    ]);
    const range = `?from=${new Date(startMs - 6 * 86_400_000).toISOString()}&to=${new Date(startMs - 86_400_000).toISOString()}`;
    expect(await activity(range)).toEqual({
      totals: { checks: 10, allowed: 4, flagged: 1, redacted: 2, blocked: 3, failed: 0 },
      byGuardrail: [
        {
          guardrail: 'by-sdk',
          type: '',
          checks: 10,
          triggered: 6,
          flagged: 1,
          redacted: 2,
          blocked: 3,
          failed: 0,
          failedBlocked: 0,
          caught: 6,
          p95LatencyMs: null,
        },
      ],
      timeline: [{ day: '2026-11-16', checks: 10, flagged: 1, redacted: 2, blocked: 3 }],
    });
    const again = { ...report, at: new Date(startMs - 4 * 86_400_000).toISOString(), checks: 20 };
    const beside = { ...again, guardrail: 'cards', reportId: 'r-2', checks: 18 };
    await service.send('/v1/guardrails/report', { reports: [again, beside] });
    const { totals, byGuardrail, timeline } = await activity(range);
    // Both guardrails looked at the same checks.
    expect(totals).toMatchObject({ checks: 20, blocked: 3 });
    expect(timeline.map(({ day }) => day)).toEqual(['2026-11-17']);
    expect(byGuardrail.map(({ guardrail, type, checks }) => [guardrail, type, checks])).toEqual([
      ['by-sdk', '', 20],
      ['cards', 'pii', 18],
    ]);
  });

  test.each([{}, { reports: [] }, { reports: Array.from({ length: 101 }, () => ({})) }, { reports: 'x' }])(
    '400 for the reports %j',
    async (body) => {
      expect((await service.send('/v1/guardrails/report', body)).status).toBe(400);
    },
  );

  test('401 for a report by a session, 400 for a bad range, 403 and 404 elsewhere', async () => {
    expect((await service.send('/v1/guardrails/report', { reports: [{}] }, { cookie: service.app.cookie })).status).toBe(401);
    const path = `/v1/projects/${service.app.projectId}/guardrails/activity`;
    for (const query of ['range=1d', 'range=7d&from=2026-11-20T00:00:00Z', 'by=hour'])
      expect((await service.app.get(`${path}?${query}`)).status).toBe(400);
    expect((await service.app.get('/v1/projects/0197a000-0000-7000-8000-000000000001/guardrails/activity')).status).toBe(403);
    const byKey = await fetch(`${service.app.url}/v1/projects/${service.otherProject}/guardrails/activity`, {
      headers: { 'x-api-key': service.app.apiKey },
    });
    expect(byKey.status).toBe(404);
  });
});
