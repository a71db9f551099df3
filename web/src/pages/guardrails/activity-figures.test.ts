import { expect, test } from 'vitest';
import type { GuardrailActivity } from '../../api/service.ts';
import { timelineOf } from '../../range.ts';
import { dailyCharts, environmentRows, recentBySlug, recentLabel, recentOf, triggeredText } from './activity-figures.ts';

const nowMs = Date.parse('2026-03-03T10:00:00Z');
const timeline = timelineOf({ from: '2026-03-01T00:00:00.000Z' }, nowMs, undefined, 'day');
const counts = { checks: 0, flagged: 0, redacted: 0, blocked: 0, triggered: 0, caught: 0, failed: 0, failedBlocked: 0 };

function activity(groups: NonNullable<GuardrailActivity['groups']>): GuardrailActivity {
  return {
    totals: { checks: 12, flagged: 0, redacted: 0, blocked: 3, allowed: 9, failed: 0 },
    byGuardrail: [
      {
        ...counts,
        guardrail: 'a',
        type: 'pii',
        checks: 12,
        triggered: 3,
        caught: 2,
        blocked: 3,
        failed: 1,
        failedBlocked: 1,
        p95LatencyMs: 1,
      },
    ],
    timeline: [],
    groups,
  };
}

const daily = activity([
  { ...counts, guardrail: 'a', key: '2026-03-01', checks: 5, triggered: 2, caught: 2, blocked: 2 },
  { ...counts, guardrail: 'a', key: '2026-03-03', checks: 7, triggered: 1, blocked: 1, failed: 1, failedBlocked: 1 },
]);

test('days of a range of a few days are rows, not hours', () => {
  expect(timeline.starts).toEqual(['2026-03-01', '2026-03-02', '2026-03-03']);
});

test('a sparkline has a bar for each day', () => {
  const recent = recentBySlug(daily, timeline.starts);
  expect(recentOf(recent, 'a', 3)).toEqual({ checks: 12, caught: 2, failed: 1, failedBlocked: 1, days: [2, 0, 0] });
  expect(recentOf(recent, 'unknown', 3)).toEqual({ checks: 0, caught: 0, failed: 0, failedBlocked: 0, days: [0, 0, 0] });
  expect(recentLabel(recentOf(recent, 'a', 3))).toBe(
    'Caught 2 · failed 1, of which 1 blocked, of 12 checks. By day, oldest first: 2, 0, 0.',
  );
  expect(recentLabel(recentOf(recent, 'unknown', 3))).toBe('No checks.');
});

test('the charts have every day, and only the actions that occurred', () => {
  const opened: string[] = [];
  const [caught, checks] = dailyCharts(daily, timeline, (start) => opened.push(start));
  expect(caught?.title).toBe('Blocked by day');
  expect(caught?.series).toEqual([{ name: 'Blocked', values: [2, 0, 0], color: 'bad' }]);
  expect(checks?.series).toEqual([
    { name: 'Ran', values: [5, 0, 6], color: 2 },
    { name: 'Failed', values: [0, 0, 1], color: 'bad' },
  ]);
  caught?.open?.(2, null);
  caught?.open?.(9, null);
  expect(opened).toEqual(['2026-03-03']);
});

test('environments are sorted by what was caught', () => {
  const rows = environmentRows(
    activity([
      { ...counts, guardrail: 'a', key: null, checks: 9 },
      { ...counts, guardrail: 'a', key: 'eu', checks: 1 },
      { ...counts, guardrail: 'a', key: 'us', checks: 2, triggered: 2, caught: 2 },
    ]),
  );
  expect(rows.map(({ environment }) => environment)).toEqual(['us', null, 'eu']);
});

test('the search for a triggered guardrail finds it in the output of a check', () => {
  const text = triggeredText({ slug: 'a', type: 'pii' });
  const output = (triggered: boolean) =>
    JSON.stringify({ action: 'flag', results: [{ guardrail: 'a', type: 'pii', triggered, action: 'flag', matches: [] }] });
  expect(output(true)).toContain(text);
  expect(output(false)).not.toContain(text);
});
