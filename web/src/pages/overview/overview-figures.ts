import type { Overview } from '../../api/wire.ts';
import type { CategoryChart, Series } from '../../design/chart-model.ts';
import { countedExactly, formatCount, formatDuration, formatScore, formatUsdPrecise } from '../../format/number-format.ts';
import { formatUtcDay } from '../../format/time-format.ts';
import type { Grouping } from './search.ts';

type Day = Overview['agents'][number]['timeline'][number];
type DayFigure = 'calls' | 'cost' | 'errors';

/** The daily data of one model or agent. */
interface Row {
  name: string;
  calls: number;
  timeline: readonly Day[];
}

/** Series with their own colour; all others form one series. */
const maxSeries = 5;
const othersColor = 6;
const noneColor = 7;
/** Smaller differences between sums are rounding errors. */
const epsilonUsd = 1e-9;

/** Models or agents by number of calls, and the total of those that are not listed. */
function rowsOf({ models, other_models, agents, other_agents }: Overview, by: Grouping) {
  const named: Row[] =
    by === 'model'
      ? models.map(({ model, calls, timeline }) => ({ name: model, calls, timeline }))
      : agents.map(({ agent_name, calls, timeline }) => ({ name: agent_name, calls, timeline }));
  return {
    named: named.toSorted((left, right) => right.calls - left.calls),
    others: by === 'model' ? other_models : other_agents,
  };
}

/** The sum of rows for each day. */
function sumByDay(
  rows: ReadonlyArray<{ timeline: readonly Day[] } | null>,
  days: readonly string[],
  figure: DayFigure,
): number[] {
  const sums = new Map<string, number>();
  for (const row of rows) for (const day of row?.timeline ?? []) sums.set(day.day, (sums.get(day.day) ?? 0) + day[figure]);
  return days.map((day) => sums.get(day) ?? 0);
}

/** Colours by name. A name keeps its colour in later charts unless it is taken. */
type Colors = Map<string, number>;

/** Assigns a colour to each of at most {@link maxSeries} names of one chart. */
function colorsFor(names: readonly string[], colors: Colors): number[] {
  const kept = names.map((name) => colors.get(name));
  const taken = new Set<number>();
  const own = kept.map((color) => {
    if (color === undefined || taken.has(color)) return null;
    taken.add(color);
    return color;
  });
  const free = Array.from({ length: maxSeries }, (_, index) => index + 1).filter((color) => !taken.has(color));
  return names.map((name, index) => {
    const color = own[index] ?? free.shift() ?? 1;
    if (!colors.has(name)) colors.set(name, color);
    return color;
  });
}

/** Stacked bars whose sum is the project total: the top series, all others, and, by agent, calls without an agent. */
function stacked(data: Overview, by: Grouping, days: readonly string[], figure: DayFigure, colors: Colors): Series[] {
  const { named, others } = rowsOf(data, by);
  const total = (row: Row) => row.timeline.reduce((sum, day) => sum + day[figure], 0);
  // The sort is stable: ties stay in order of calls.
  const ranked = named.toSorted((left, right) => total(right) - total(left));
  const shown = ranked.slice(0, maxSeries);
  const left = ranked.slice(maxSeries);
  const leftCount = left.length + (others?.count ?? 0);
  const shownColors = colorsFor(
    shown.map(({ name }) => name),
    colors,
  );
  const series: Series[] = shown.map((row, index) => ({
    name: row.name,
    color: shownColors[index] ?? 1,
    values: sumByDay([row], days, figure),
  }));
  if (leftCount > 0) {
    const name = leftCount === 1 && left[0] ? left[0].name : countedExactly(leftCount, 'other');
    series.push({ name, color: othersColor, values: sumByDay([...left, others], days, figure) });
  }
  if (by === 'agent') {
    const all = sumByDay([...data.models, data.other_models], days, figure);
    const ofAgents = sumByDay([...named, others], days, figure);
    const values = all.map((value, index) => {
      const rest = value - (ofAgents[index] ?? 0);
      return rest < epsilonUsd ? 0 : rest;
    });
    series.push({ name: 'No agent', color: noneColor, values });
  }
  return series.filter(({ values }) => values.some((value) => value !== null && value > 0));
}

/** One line for each of the top series; days without a value are gaps. */
function lines(
  rows: ReadonlyArray<{ name: string; values: ReadonlyMap<string, number> }>,
  days: readonly string[],
  colors: Colors,
): Series[] {
  const shown = rows.slice(0, maxSeries);
  const shownColors = colorsFor(
    shown.map(({ name }) => name),
    colors,
  );
  return shown
    .map(({ name, values }, index) => ({
      name,
      color: shownColors[index] ?? 1,
      values: days.map((day) => values.get(day) ?? null),
    }))
    .filter(({ values }) => values.some((value) => value !== null));
}

/** The charts of the overview, by model or agent. Quality is always by model: scores have no agent. */
export function overviewCharts(data: Overview, by: Grouping, days: readonly string[]): CategoryChart[] {
  const base = { axis: 'Day (UTC)', categories: days.map(formatUtcDay) } as const;
  const bars = { ...base, kind: 'bars', stacked: true, unit: `by ${by}` } as const;
  const { named } = rowsOf(data, by);
  const latency = named.map(({ name, timeline }) => ({
    name,
    values: new Map(timeline.map(({ day, avg_latency }) => [day, avg_latency])),
  }));
  const quality = data.models
    .toSorted((left, right) => right.calls - left.calls)
    .map(({ model, trend }) => ({ name: model, values: new Map(trend.map(({ day, avg_score }) => [day, avg_score])) }));
  const colors: Colors = new Map();
  const cost = stacked(data, by, days, 'cost', colors);
  const calls = stacked(data, by, days, 'calls', colors);
  const latencyLines = lines(latency, days, colors);
  const failed = stacked(data, by, days, 'errors', colors);
  // By agent, models get their own colours.
  const qualityLines = lines(quality, days, by === 'model' ? colors : new Map());
  return [
    { ...bars, title: 'Daily cost (USD)', format: formatUsdPrecise, series: cost },
    { ...bars, title: 'Daily calls', format: formatCount, whole: true, series: calls },
    {
      ...base,
      kind: 'lines',
      title: 'Latency',
      unit: `daily mean, top ${by}s`,
      format: formatDuration,
      series: latencyLines,
    },
    { ...bars, title: 'Daily failed calls', format: formatCount, whole: true, series: failed },
    ...(qualityLines.length === 0
      ? []
      : [
          {
            ...base,
            kind: 'lines' as const,
            title: 'Quality',
            unit: 'daily mean score, top models',
            format: formatScore,
            series: qualityLines,
          },
        ]),
  ];
}
