import type { Overview } from '../../api/wire.ts';
import type { CategoryChart, Series } from '../../design/chart-model.ts';
import {
  countedExactly,
  formatCount,
  formatDuration,
  formatScore,
  formatShare,
  formatUsdPrecise,
} from '../../format/number-format.ts';
import type { Timeline } from '../../range.ts';
import type { Grouping } from './search.ts';

type Day = Overview['agents'][number]['timeline'][number] & { p95_latency?: number };
type DayFigure = 'calls' | 'cost' | 'errors';

/** The data of one model or agent over time. */
interface Row {
  name: string;
  timeline: readonly Day[];
}

/** What a part of a chart consists of: the filter of its traces, besides the time. */
export interface Picked {
  model?: string;
  agent?: string;
  status?: 'error';
}

/** Models or agents with their own series and colour; all others form one series. */
const maxSeries = 5;
const othersColor = 6;
const noneColor = 7;
/** Smaller differences between sums are rounding errors. */
const epsilonUsd = 1e-9;

const total = (row: Row, figure: DayFigure) => row.timeline.reduce((sum, day) => sum + day[figure], 0);

/** Models or agents by number of calls, and the total of those that are not listed. */
function rowsOf({ models, other_models, agents, other_agents }: Overview, by: Grouping) {
  const named: Row[] =
    by === 'model'
      ? models.map(({ model, timeline }) => ({ name: model, timeline }))
      : agents.map(({ agent_name, timeline }) => ({ name: agent_name, timeline }));
  return {
    named: named.toSorted((left, right) => total(right, 'calls') - total(left, 'calls')),
    others: by === 'model' ? other_models : other_agents,
  };
}

/**
 * The rows that have their own series in every chart, so that a name has one colour on the page: by turns the next with the highest
 * cost, the most calls and the most failed calls.
 */
export function leadingRows(named: readonly Row[]): Row[] {
  const rankings = (['cost', 'calls', 'errors'] as const).map((figure) =>
    named.filter((row) => total(row, figure) > 0).toSorted((left, right) => total(right, figure) - total(left, figure)),
  );
  const leading = new Set<Row>();
  for (let place = 0; place < named.length; place += 1)
    for (const ranking of rankings) {
      const row = ranking[place];
      if (row && leading.size < maxSeries) leading.add(row);
    }
  return [...leading];
}

/** The sum of rows for each start. */
function sumByStart(
  rows: ReadonlyArray<{ timeline: readonly Day[] } | null>,
  starts: readonly string[],
  figure: DayFigure,
): number[] {
  const sums = new Map<string, number>();
  for (const row of rows) for (const day of row?.timeline ?? []) sums.set(day.day, (sums.get(day.day) ?? 0) + day[figure]);
  return starts.map((start) => sums.get(start) ?? 0);
}

/** Stacked bars whose sum is the project total: the leading rows, all others, and, by agent, calls without an agent. */
function stacked(data: Overview, by: Grouping, starts: readonly string[], figure: DayFigure): Series[] {
  const { named, others } = rowsOf(data, by);
  const leading = leadingRows(named);
  const left = named.filter((row) => !leading.includes(row));
  const leftCount = left.length + (others?.count ?? 0);
  const series: Series[] = leading.map((row, index) => ({
    name: row.name,
    color: index + 1,
    values: sumByStart([row], starts, figure),
  }));
  if (leftCount > 0) {
    const name = leftCount === 1 && left[0] ? left[0].name : countedExactly(leftCount, 'other');
    series.push({ name, color: othersColor, values: sumByStart([...left, others], starts, figure) });
  }
  if (by === 'agent') {
    const all = sumByStart([...data.models, data.other_models], starts, figure);
    const ofAgents = sumByStart([...named, others], starts, figure);
    const values = all.map((value, index) => {
      const rest = value - (ofAgents[index] ?? 0);
      return rest < epsilonUsd ? 0 : rest;
    });
    series.push({ name: 'No agent', color: noneColor, values });
  }
  return series.filter(({ values }) => values.some((value) => value !== null && value > 0));
}

/** One line for each leading row, and one for all calls; starts without a value are gaps. */
function lines(
  rows: ReadonlyArray<Row | { name: string; timeline: readonly Day[]; color: 'ink' }>,
  starts: readonly string[],
  read: (day: Day) => number | undefined,
): Series[] {
  return rows
    .map((row, index) => {
      const values = new Map(row.timeline.map((day) => [day.day, read(day)]));
      return {
        name: row.name,
        color: 'color' in row ? row.color : index + 1,
        values: starts.map((start) => values.get(start) ?? null),
      };
    })
    .filter(({ values }) => values.some((value) => value !== null));
}

/** The lines of quality, which is always by model: scores have no agent. By agent, models have colours of their own. */
function qualityChart(
  data: Overview,
  base: Pick<CategoryChart, 'axis' | 'categories'>,
  starts: readonly string[],
): CategoryChart[] {
  const leading = leadingRows(rowsOf(data, 'model').named).map(({ name }) => name);
  const trends = new Map(data.models.map(({ model, trend }) => [model, new Map(trend.map((one) => [one.day, one.avg_score]))]));
  const series = leading
    .map((name, index) => ({ name, color: index + 1, values: starts.map((start) => trends.get(name)?.get(start) ?? null) }))
    .filter(({ values }) => values.some((value) => value !== null));
  if (series.length === 0) return [];
  const isShare = series.every(({ values }) => values.every((value) => (value ?? 0) <= 1));
  return [
    {
      ...base,
      kind: 'lines',
      title: 'Quality',
      unit: 'mean score, leading models',
      format: formatScore,
      series,
      ...(isShare ? { limit: 1 } : {}),
    },
  ];
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
  const { starts, labels, axis, interval } = timeline;
  const { named } = rowsOf(data, by);
  const leading = leadingRows(named);
  const names = new Set(named.map(({ name }) => name));
  const opening = (status?: 'error') => (category: number, series: string | null) => {
    const start = starts[category];
    if (start === undefined) return;
    const named = series !== null && names.has(series) ? { [by]: series } : {};
    open(start, { ...named, ...(status === undefined ? {} : { status }) });
  };
  const every = interval === 'hour' ? 'Hourly' : 'Daily';
  const base = { axis, categories: labels, open: opening() } as const;
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
      series: lines([...leading, whole], starts, ({ errors, calls }) => (calls === 0 ? 0 : errors / calls)),
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
      series: lines(latency.rows, starts, latency.read),
    },
    ...qualityChart(data, { ...base }, starts),
  ];
}
