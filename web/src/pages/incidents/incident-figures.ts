import type { AlertRule, GuardrailActivity, Incident, ModelDetail, Overview, TimelinePoint } from '../../api/service.ts';
import { alertTypes, alertWindows } from '../../content/alert-words.ts';
import type { CategoryChart, Series } from '../../design/chart-model.ts';
import { formatCount } from '../../format/number-format.ts';
import { timelineOf } from '../../range.ts';
import type { Timeline } from '../../range.ts';
import { dayMs, hourMs } from '../../../../src/contract/durations.ts';

/** Hours that a chart by hour shows before the opening, and how many it has at least; and those after the resolution. */
const hoursBefore = 24;
const minHoursBefore = 6;
const hoursAfter = 6;
/** With more hours a chart has a row a day. */
const maxHours = 72;
/** Days of a chart by day. */
const daysBefore = 7;
const daysAfter = 2;

/** The rule as it is now; undefined while it loads, null where it was deleted. */
export type CurrentRule = Pick<AlertRule, 'window' | 'filter' | 'groupBy' | 'environment'> | null | undefined;

/** Where the values of an incident's chart come from. */
export type ChartSource =
  | { from: 'overview'; agent: string | null }
  | { from: 'model'; model: string }
  /** The slugs; empty for all guardrails. */
  | { from: 'guardrails'; guardrails: readonly string[] };

const chartOf = (type: Incident['type']) => alertTypes[type].chart;

/** Whether a window's value is the sum of its hours. */
function isSum(type: Incident['type']): boolean {
  const chart = chartOf(type);
  return chart?.of === 'calls' && chart.isSum;
}

/** Hours before the first one shown that its sum over the window needs. */
function hoursOfFirstSum(type: Incident['type'], window: AlertRule['window']): number {
  return isSum(type) && window !== null ? Math.max(0, alertWindows[window] / hourMs - 1) : 0;
}

/**
 * The time range of the chart of an incident, with what its first sum needs: from before the opening until after the resolution, or until now. By hour
 * where that takes at most 72 of them, with less before the opening if need be; otherwise by day.
 *
 * @param window of the rule as it is now
 * @param nowMs epoch milliseconds
 */
export function chartRange(
  { type, openedAt, resolvedAt }: Pick<Incident, 'type' | 'openedAt' | 'resolvedAt'>,
  window: AlertRule['window'],
  nowMs: number,
): { from: string; to: string } {
  const openedMs = Date.parse(openedAt);
  const endOf = (afterMs: number) =>
    Math.max(openedMs, resolvedAt === null ? nowMs : Math.min(Date.parse(resolvedAt) + afterMs, nowMs));
  const rangeOf = (startMs: number, endMs: number) => ({
    from: new Date(startMs).toISOString(),
    to: new Date(endMs).toISOString(),
  });
  const endMs = endOf(hoursAfter * hourMs);
  const firstHourMs = Math.floor(endMs / hourMs) * hourMs - (maxHours - 1) * hourMs;
  const hoursBeforeOpening = (hours: number) =>
    Math.floor(openedMs / hourMs) * hourMs - (hours + hoursOfFirstSum(type, window)) * hourMs;
  if (chartOf(type)?.of !== 'checks' && firstHourMs <= hoursBeforeOpening(minHoursBefore))
    return rangeOf(Math.max(firstHourMs, hoursBeforeOpening(hoursBefore)), endMs);
  return rangeOf(Math.floor(openedMs / dayMs) * dayMs - daysBefore * dayMs, endOf(daysAfter * dayMs));
}

/** The rows of the chart of an incident. @param range see {@link chartRange} */
export function chartTimeline(type: Incident['type'], range: { from: string; to: string }, nowMs: number): Timeline {
  return timelineOf(range, nowMs, undefined, chartOf(type)?.of === 'checks' ? 'day' : undefined);
}

const only = (names: readonly string[] | undefined) => (names?.length === 1 ? (names[0] ?? null) : null);

/** The narrowest source that an endpoint has for an incident. */
export function sourceOf({ type, scope }: Pick<Incident, 'type' | 'scope'>, rule: CurrentRule): ChartSource {
  const chart = chartOf(type);
  if (chart?.of === 'checks') return { from: 'guardrails', guardrails: rule?.filter.guardrails ?? [] };
  if (chart === null) return { from: 'overview', agent: null };
  const model = rule?.groupBy === 'model' ? scope : only(rule?.filter.models);
  if (model !== null) return { from: 'model', model };
  const hasAgents = chart.of === 'calls' && chart.ofAgents;
  return { from: 'overview', agent: hasAgents ? (rule?.groupBy === 'agent' ? scope : only(rule?.filter.agents)) : null };
}

/** What the rule narrows that the source does not, in words; empty where both are about the same calls. */
export function notNarrowed({ type, scope, environment }: Incident, rule: CurrentRule, source: ChartSource): string[] {
  if (chartOf(type) === null) return [];
  const model = source.from === 'model';
  const agent = source.from === 'overview' && source.agent !== null;
  const { models = [], agents = [], operations = [], evaluators = [] } = rule?.filter ?? {};
  return [
    environment !== null || rule?.groupBy === 'environment' ? 'environments' : [],
    (models.length > 0 || rule?.groupBy === 'model') && !model ? 'models' : [],
    (agents.length > 0 || rule?.groupBy === 'agent') && !agent ? 'agents' : [],
    operations.length > 0 ? 'operations' : [],
    evaluators.length > 0 ? 'evaluators' : [],
    // Without its rule a scope's kind is not known.
    rule === null && scope !== null ? 'scopes' : [],
  ].flat();
}

/** One figure by row of a timeline. */
type Values = ReadonlyArray<number | null>;

/** The values of a chart before its threshold is known. */
export interface Figure {
  values: Values;
  /** Values are sums of a row, and not comparable with a threshold of another window. */
  isSum: boolean;
}

/** A day or hour of calls: what its endpoint has of the fields of a chart. */
type CallRow = { day: string; calls: number } & Partial<TimelinePoint>;

function callFigure(type: Incident['type'], rows: readonly CallRow[], starts: readonly string[]): Figure {
  const chart = chartOf(type);
  const { field, isSum: sums } = chart?.of === 'calls' ? chart : ({ field: 'calls', isSum: true } as const);
  const byStart = new Map(rows.map((row) => [row.day, row]));
  const values = starts.map((start) => {
    const row = byStart.get(start);
    if (!row) return sums ? 0 : null;
    const value = row[field];
    return typeof value === 'number' ? value : null;
  });
  return { values, isSum: sums };
}

function scoreFigure(
  trends: ReadonlyArray<ReadonlyArray<{ day: string; eval_count: number; avg_score: number }>>,
  starts: readonly string[],
): Figure {
  const sums = new Map<string, { count: number; sum: number }>();
  for (const { day, eval_count: count, avg_score: score } of trends.flat()) {
    const before = sums.get(day) ?? { count: 0, sum: 0 };
    sums.set(day, { count: before.count + count, sum: before.sum + count * score });
  }
  const mean = (start: string) => {
    const found = sums.get(start);
    return found === undefined || found.count === 0 ? null : found.sum / found.count;
  };
  return { values: starts.map(mean), isSum: false };
}

/** The figure of an incident of the overview, of all calls or of an agent's. */
export function overviewFigure(
  type: Incident['type'],
  data: Overview,
  agent: string | null,
  { starts }: Pick<Timeline, 'starts'>,
): Figure {
  if (chartOf(type)?.of === 'scores')
    return scoreFigure(
      [...data.models, ...(data.other_models ? [data.other_models] : [])].map(({ trend }) => trend),
      starts,
    );
  const rows = agent === null ? data.totals.timeline : (data.agents.find((one) => one.agent_name === agent)?.timeline ?? []);
  return callFigure(type, rows, starts);
}

/** The figure of an incident of one model. */
export function modelFigure(type: Incident['type'], data: ModelDetail, { starts }: Pick<Timeline, 'starts'>): Figure {
  return chartOf(type)?.of === 'scores' ? scoreFigure([data.quality.trend], starts) : callFigure(type, data.timeline, starts);
}

/** Triggered checks by day, as a rule counts them. @param guardrails slugs; empty for all */
export function guardrailFigure(
  data: GuardrailActivity,
  guardrails: readonly string[],
  { starts }: Pick<Timeline, 'starts'>,
): Figure {
  const sums = new Map<string, number>();
  for (const { guardrail, key, triggered } of data.groups ?? []) {
    if (key === null || (guardrails.length > 0 && !guardrails.includes(guardrail))) continue;
    sums.set(key, (sums.get(key) ?? 0) + triggered);
  }
  return { values: starts.map((start) => sums.get(start) ?? 0), isSum: true };
}

/** Sums over as many rows as a window has, ending with each row; null where the timeline does not have them all. */
function rolling(values: Values, rows: number): Values {
  return values.map((_, index) => {
    if (index + 1 < rows) return null;
    return values.slice(index + 1 - rows, index + 1).reduce<number>((sum, value) => sum + (value ?? 0), 0);
  });
}

/** The rows of a chart that are shown: without those that only its first sum needs. */
export function shownTimeline(type: Incident['type'], window: AlertRule['window'], timeline: Timeline): Timeline {
  const { interval, starts, labels } = timeline;
  const hidden = interval === 'hour' ? hoursOfFirstSum(type, window) : 0;
  return hidden === 0 ? timeline : { ...timeline, starts: starts.slice(hidden), labels: labels.slice(hidden) };
}

/** The chart of an incident, and what a reader must know to compare it with the threshold. */
export interface IncidentChart {
  model: CategoryChart;
  note: string;
}

/**
 * The chart of an incident's figure with its threshold. Sums are shown over the window where whole rows make it up; otherwise by row, without the
 * threshold.
 *
 * @param timeline of the figure; {@link shownTimeline} is that of the chart
 */
export function incidentChart(
  { type, threshold }: Pick<Incident, 'type' | 'threshold'>,
  window: AlertRule['window'],
  { values, isSum }: Figure,
  timeline: Timeline,
): IncidentChart {
  const { starts, labels, axis, interval } = shownTimeline(type, window, timeline);
  const rowMs = interval === 'hour' ? hourMs : dayMs;
  const rows = window === null ? 0 : alertWindows[window] / rowMs;
  const isRolled = isSum && threshold !== null && Number.isInteger(rows) && rows >= 1;
  const shown = (isRolled ? rolling(values, rows) : values).slice(values.length - starts.length);
  const isCompared = threshold !== null && (!isSum || isRolled);
  const every = interval === 'hour' ? 'hour' : 'day';
  const chart = chartOf(type);
  const title = chart?.title ?? 'Calls';
  const format = chart === null ? formatCount : alertTypes[type].formatPrecise;
  const series: Series[] = [{ name: title, values: shown, color: chart?.color ?? 1 }];
  if (isCompared) series.push({ name: 'Threshold', values: starts.map(() => threshold), color: 'ink', dashed: true });
  return {
    model: {
      kind: 'lines',
      title,
      unit: isRolled ? `over ${window ?? ''}` : `by ${every}`,
      axis,
      categories: labels,
      series,
      format,
      ...(chart?.limit === undefined ? {} : { limit: chart.limit }),
    },
    note: noteOf(type, { isCompared, isRolled, every, window }),
  };
}

interface Shown {
  isCompared: boolean;
  isRolled: boolean;
  every: string;
  window: AlertRule['window'];
}

function noteOf(type: Incident['type'], { isCompared, isRolled, every, window }: Shown): string {
  if (chartOf(type) === null) return 'This type has no figure over time. The chart has the calls that were received.';
  if (isRolled) return `Sums over ${window ?? ''}, at the end of each ${every}.`;
  const length = window === null ? 'its window' : `the last ${window}`;
  if (!isCompared) return `Sums by ${every}. The rule compares ${length} with its threshold, which is therefore not drawn.`;
  return `Values by ${every}. The rule evaluates ${length}.`;
}
