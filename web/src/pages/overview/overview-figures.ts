import type { Overview } from '../../api/service.ts';
import type { CategoryChart } from '../../design/chart-model.ts';
import { formatCount, formatDuration, formatShare, formatUsdPrecise } from '../../format/number-format.ts';
import type { Timeline } from '../../range.ts';
import { colorsOf, failingMost, leadingRows, lines, rowsOf, stacked } from './overview-series.ts';
import type { Day, Row } from './overview-series.ts';
import type { Grouping } from './search.ts';

/** What a part of a chart consists of: the filter of its traces, besides the time. */
export interface Picked {
  model?: string;
  agent?: string;
  evaluator?: string;
  status?: 'error';
}

/** The leading rows, and the one with the highest error rate, which none of them may be. */
function withWorst(leading: readonly Row[], named: readonly Row[]): Row[] {
  const worst = failingMost(named);
  return worst === null || leading.includes(worst) ? [...leading] : [...leading, worst];
}

/**
 * The charts of the overview, by model or agent.
 *
 * @param open opens the traces of a row of the timeline
 */
export function overviewCharts(
  data: Overview,
  by: Grouping,
  timeline: Timeline,
  open: (start: string, picked: Picked) => void,
): CategoryChart[] {
  const { starts, labels, axis, interval, unfinished } = timeline;
  const { named } = rowsOf(data, by);
  const leading = leadingRows(named);
  const colors = colorsOf(leading);
  const names = new Set(named.map(({ name }) => name));
  const opening = (status?: 'error') => (category: number, series: string | null) => {
    const start = starts[category];
    if (start === undefined) return;
    const named = series !== null && names.has(series) ? { [by]: series } : {};
    open(start, { ...named, ...(status === undefined ? {} : { status }) });
  };
  const every = interval === 'hour' ? 'Hourly' : 'Daily';
  const base = { axis, categories: labels, unfinished, open: opening() } as const;
  const bars = { ...base, kind: 'bars', stacked: true, unit: `by ${by}` } as const;
  const whole = { name: 'All calls', timeline: data.totals.timeline, color: 'ink' as const };
  const latency =
    by === 'model'
      ? { title: 'Latency p95', rows: [...leading, whole], read: ({ p95_latency }: Day) => p95_latency }
      : { title: 'Latency', rows: leading, read: ({ avg_latency }: Day) => avg_latency };
  return [
    { ...bars, title: `${every} cost (USD)`, format: formatUsdPrecise, series: stacked(data, by, starts, 'cost') },
    { ...bars, title: `${every} calls`, format: formatCount, whole: true, series: stacked(data, by, starts, 'calls') },
    {
      ...base,
      kind: 'lines',
      title: 'Error rate',
      unit: `by ${by}`,
      format: formatShare,
      limit: 1,
      open: opening('error'),
      series: lines(colors, [...withWorst(leading, named), whole], starts, ({ errors, calls }) =>
        calls === 0 ? 0 : errors / calls,
      ),
    },
    {
      ...bars,
      title: `${every} failed calls`,
      format: formatCount,
      whole: true,
      open: opening('error'),
      series: stacked(data, by, starts, 'errors'),
    },
    {
      ...base,
      kind: 'lines',
      title: latency.title,
      unit: by === 'model' ? 'by model' : 'mean by agent',
      format: formatDuration,
      series: lines(colors, latency.rows, starts, latency.read),
    },
  ];
}
