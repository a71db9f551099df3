import type { Overview } from '../../api/service.ts';
import type { Series } from '../../design/chart-model.ts';
import { countedExactly } from '../../format/number-format.ts';
import type { Grouping } from './search.ts';

/** The figures of a row of a timeline; p95 is known of models only. */
export type Day = Overview['agents'][number]['timeline'][number] & { p95_latency?: number };
type DayFigure = 'calls' | 'cost' | 'errors';

/** The data of one model or agent over time. */
export interface Row {
  name: string;
  timeline: readonly Day[];
}

/** Models or agents with their own series and colour; all others form one series. */
const maxSeries = 5;
const othersColor = 6;
const noneColor = 7;
/** Smaller differences between sums are rounding errors. */
const epsilonUsd = 1e-9;

const total = (row: Row, figure: DayFigure) => row.timeline.reduce((sum, day) => sum + day[figure], 0);

/** Models or agents by number of calls, and the total of those that are not listed. */
export function rowsOf({ models, other_models, agents, other_agents }: Overview, by: Grouping) {
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

/** A number for a name, always the same. */
function hashOf(name: string): number {
  let hash = 0;
  for (let index = 0; index < name.length; index += 1) hash = (hash * 31 + name.charCodeAt(index)) % 1_000_003;
  return hash;
}

/** Colours of leading names: each has its own by its name, so that it keeps it in another range, unless another has it already. */
export function colorsOf(leading: readonly Row[]): ReadonlyMap<string, number> {
  const colors = new Map<string, number>();
  const taken = new Set<number>();
  for (const name of leading.map((row) => row.name).toSorted()) {
    let color = hashOf(name) % maxSeries;
    while (taken.has(color)) color = (color + 1) % maxSeries;
    taken.add(color);
    colors.set(name, color + 1);
  }
  return colors;
}

/** The row with the highest error rate; null without failed calls. */
export function failingMost(named: readonly Row[]): Row | null {
  const rate = (row: Row) => total(row, 'errors') / total(row, 'calls');
  const failing = named.filter((row) => total(row, 'errors') > 0);
  return failing.toSorted((left, right) => rate(right) - rate(left))[0] ?? null;
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
export function stacked(data: Overview, by: Grouping, starts: readonly string[], figure: DayFigure): Series[] {
  const { named, others } = rowsOf(data, by);
  const leading = leadingRows(named);
  const left = named.filter((row) => !leading.includes(row));
  const leftCount = left.length + (others?.count ?? 0);
  const colors = colorsOf(leading);
  const series: Series[] = leading.map((row) => ({
    name: row.name,
    color: colors.get(row.name) ?? othersColor,
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

/** One line for each row, and one for all calls; starts without a value are gaps. @param colors of the leading rows */
export function lines(
  colors: ReadonlyMap<string, number>,
  rows: ReadonlyArray<Row | { name: string; timeline: readonly Day[]; color: 'ink' }>,
  starts: readonly string[],
  read: (day: Day) => number | undefined,
): Series[] {
  return rows
    .map((row) => {
      const values = new Map(row.timeline.map((day) => [day.day, read(day)]));
      return {
        name: row.name,
        color: 'color' in row ? row.color : (colors.get(row.name) ?? othersColor),
        values: starts.map((start) => values.get(start) ?? null),
      };
    })
    .filter(({ values }) => values.some((value) => value !== null));
}
