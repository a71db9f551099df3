import { expect, test } from 'vitest';
import type { GuardrailActivity, Incident, ModelDetail, Overview } from '../../api/service.ts';
import {
  chartRange,
  chartTimeline,
  guardrailFigure,
  incidentChart,
  modelFigure,
  notNarrowed,
  overviewFigure,
  shownTimeline,
  sourceOf,
} from './incident-figures.ts';

const nowMs = Date.parse('2026-11-20T12:30:00.000Z');
const opened = { openedAt: '2026-11-18T10:20:00.000Z', resolvedAt: null };
const starts = ['2026-11-18T09:00:00.000Z', '2026-11-18T10:00:00.000Z', '2026-11-18T11:00:00.000Z'];
const timeline = { interval: 'hour', axis: 'Hour', starts, labels: ['9', '10', '11'] } as const;
const call = { calls: 10, cost: 2, errors: 1, error_rate: 0.1, unpriced_calls: 0, avg_latency: 5 };
const rule = { window: '1h', filter: {}, groupBy: null, environment: null } as const;

test('a chart by hour goes from the day before the opening until now, or until after the resolution', () => {
  const recent = { type: 'latency', openedAt: '2026-11-20T02:20:00.000Z', resolvedAt: null } as const;
  const range = chartRange(recent, '24h', nowMs);
  expect(range).toEqual({ from: '2026-11-19T02:00:00.000Z', to: '2026-11-20T12:30:00.000Z' });
  expect(chartTimeline('latency', range, nowMs).interval).toBe('hour');
  expect(chartRange({ ...recent, resolvedAt: '2026-11-20T04:00:00.000Z' }, '24h', nowMs).to).toBe('2026-11-20T10:00:00.000Z');
  expect(chartRange({ ...recent, resolvedAt: '2026-11-20T11:00:00.000Z' }, '24h', nowMs).to).toBe('2026-11-20T12:30:00.000Z');
  const clockWentBack = chartRange({ ...opened, type: 'latency' }, '24h', Date.parse(opened.openedAt) - 1);
  expect(clockWentBack.to).toBe(opened.openedAt);
});

test('a longer incident has fewer hours before its opening, and then a row a day', () => {
  const range = chartRange({ ...opened, type: 'latency' }, '24h', nowMs);
  expect(range).toEqual({ from: '2026-11-17T13:00:00.000Z', to: '2026-11-20T12:30:00.000Z' });
  const hours = chartTimeline('latency', range, nowMs);
  expect([hours.interval, hours.starts.length]).toEqual(['hour', 72]);
  const late = Date.parse('2026-11-28T12:30:00.000Z');
  const long = chartRange({ ...opened, type: 'cost', resolvedAt: '2026-11-22T11:00:00.000Z' }, '15m', late);
  expect(long).toEqual({ from: '2026-11-11T00:00:00.000Z', to: '2026-11-24T11:00:00.000Z' });
  const days = chartTimeline('cost', long, late);
  expect([days.interval, days.starts.length]).toEqual(['day', 14]);
  expect(chartRange({ ...opened, type: 'guardrail' }, '24h', nowMs)).toEqual({
    from: '2026-11-11T00:00:00.000Z',
    to: '2026-11-20T12:30:00.000Z',
  });
});

test('a chart of sums shows the day before the opening too, and not the hours that its first sum needs', () => {
  const early = Date.parse('2026-11-18T16:20:00.000Z');
  const range = chartRange({ ...opened, type: 'cost' }, '24h', early);
  expect(range).toEqual({ from: '2026-11-16T11:00:00.000Z', to: '2026-11-18T16:20:00.000Z' });
  const shown = shownTimeline('cost', '24h', chartTimeline('cost', range, early));
  expect([shown.starts[0], shown.starts.length, shown.labels.length]).toEqual(['2026-11-17T10:00:00.000Z', 31, 31]);
});

test('the narrowest source is taken, and what it leaves out is said', () => {
  const incident = { type: 'latency', scope: 'gpt', environment: 'production' } as Incident;
  const byModel = { ...rule, groupBy: 'model' } as const;
  expect(sourceOf(incident, byModel)).toEqual({ from: 'model', model: 'gpt' });
  expect(notNarrowed(incident, byModel, { from: 'model', model: 'gpt' })).toEqual(['environments']);
  const byAgent = { ...rule, groupBy: 'agent' } as const;
  expect(sourceOf({ type: 'cost', scope: 'a' }, byAgent)).toEqual({ from: 'overview', agent: 'a' });
  expect(notNarrowed({ ...incident, type: 'cost', environment: null }, byAgent, { from: 'overview', agent: 'a' })).toEqual([]);
  expect(sourceOf({ type: 'latency', scope: 'a' }, byAgent)).toEqual({ from: 'overview', agent: null });
  const filtered = { ...rule, filter: { models: ['m', 'n'], evaluators: ['e'] } };
  expect(notNarrowed({ ...incident, environment: null }, filtered, sourceOf(incident, filtered))).toEqual([
    'models',
    'evaluators',
  ]);
  expect(notNarrowed({ ...incident, environment: null }, null, sourceOf(incident, null))).toEqual(['scopes']);
});

test('rates have gaps and the threshold; sums are rolled over windows of whole rows', () => {
  const data = {
    totals: {
      timeline: [
        { ...call, day: starts[0], p95_latency: 7 },
        { ...call, day: starts[2], p95_latency: 9 },
      ],
    },
    agents: [],
    models: [],
    other_models: null,
  } as unknown as Overview;
  const rates = incidentChart(
    { type: 'error-rate', threshold: 0.05 },
    '15m',
    overviewFigure('error-rate', data, null, timeline),
    timeline,
  );
  expect(rates.model.series.map(({ values }) => values)).toEqual([
    [0.1, null, 0.1],
    [0.05, 0.05, 0.05],
  ]);
  expect(rates.model).toMatchObject({ limit: 1 });
  const cost = overviewFigure('cost', data, null, timeline);
  expect(incidentChart({ type: 'cost', threshold: 3 }, '1h', cost, timeline).model.series.map(({ values }) => values)).toEqual([
    [2, 0, 2],
    [3, 3, 3],
  ]);
  const short = incidentChart({ type: 'cost', threshold: 3 }, '15m', cost, timeline);
  expect(short.model.series).toHaveLength(1);
  expect(short.note).toContain('not drawn');
  const names = Array.from({ length: 8 }, (_, index) => String(index));
  const hours = { ...timeline, starts: names, labels: names };
  const values = [1, 1, 1, 1, 1, 1, 1, null];
  const rolled = incidentChart({ type: 'cost', threshold: 3 }, '6h', { values, isSum: true }, hours);
  expect(rolled.model.series.map((series) => series.values)).toEqual([
    [6, 6, 5],
    [3, 3, 3],
  ]);
  expect(rolled.model.categories).toEqual(['5', '6', '7']);
  const calls = incidentChart(
    { type: 'ingest-stopped', threshold: null },
    '1h',
    overviewFigure('ingest-stopped', data, null, timeline),
    timeline,
  );
  expect(calls.model.series.map((series) => series.values)).toEqual([[10, 0, 10]]);
});

test('scores of several models are weighted by their number', () => {
  const trend = (count: number, score: number) => [{ day: starts[0], eval_count: count, avg_score: score }];
  const data = { models: [{ trend: trend(3, 1) }, { trend: trend(1, 0) }], other_models: null } as unknown as Overview;
  expect(overviewFigure('quality', data, null, timeline).values).toEqual([0.75, null, null]);
  const one = { quality: { trend: trend(2, 0.4) } } as unknown as ModelDetail;
  expect(modelFigure('quality', one, timeline).values[0]).toBeCloseTo(0.4);
});

test('triggered checks are those of the guardrails of the rule', () => {
  const row = (guardrail: string, key: string | null, triggered: number) => ({ guardrail, key, triggered });
  const data = {
    groups: [row('a', '2026-11-18', 2), row('b', '2026-11-18', 5), row('a', null, 9)],
  } as unknown as GuardrailActivity;
  const days = { starts: ['2026-11-17', '2026-11-18'] };
  expect(guardrailFigure(data, ['a'], days).values).toEqual([0, 2]);
  expect(guardrailFigure(data, [], days).values).toEqual([0, 7]);
});
