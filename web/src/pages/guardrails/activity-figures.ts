import type { GuardrailActivity, GuardrailTypeName } from '../../api/wire.ts';
import type { CategoryChart } from '../../design/chart-model.ts';
import { counted, formatCount } from '../../format/number-format.ts';
import type { Timeline } from '../../range.ts';

type Group = NonNullable<GuardrailActivity['groups']>[number];
type Row = GuardrailActivity['byGuardrail'][number];
/** The counts of one guardrail. */
export type Counts = Pick<Row, 'checks' | 'triggered' | 'flagged' | 'redacted' | 'blocked' | 'failed'>;

/** What a guardrail did in a few days. */
export interface Recent {
  checks: number;
  triggered: number;
  /** Triggered checks by day, oldest first. */
  days: readonly number[];
}

const none: Recent = { checks: 0, triggered: 0, days: [] };

/**
 * What each guardrail did, by slug.
 *
 * @param activity grouped by day
 * @param starts the days, oldest first
 */
export function recentBySlug(activity: GuardrailActivity, starts: readonly string[]): ReadonlyMap<string, Recent> {
  const groups = Map.groupBy(activity.groups ?? [], ({ guardrail }) => guardrail);
  return new Map(
    activity.byGuardrail.map(({ guardrail, checks, triggered }) => {
      const byDay = new Map(groups.get(guardrail)?.map((group) => [group.key, group.triggered]));
      return [guardrail, { checks, triggered, days: starts.map((start) => byDay.get(start) ?? 0) }];
    }),
  );
}

/** What a guardrail did; zeros if it did nothing. */
export function recentOf(bySlug: ReadonlyMap<string, Recent>, slug: string, days: number): Recent {
  return bySlug.get(slug) ?? { ...none, days: Array.from({ length: days }, () => 0) };
}

/** A sparkline in words: `12 of 3.4k checks triggered. By day, oldest first: 0, 4, 8.` */
export function recentLabel({ checks, triggered, days }: Recent): string {
  if (checks === 0) return 'No checks.';
  return `${formatCount(triggered)} of ${counted(checks, 'check')} triggered. By day, oldest first: ${days.join(', ')}.`;
}

/**
 * The charts of one guardrail over the whole range: what it caught, and what it checked.
 *
 * @param activity grouped by day, of that guardrail
 * @param open opens the traces of a day
 */
export function dailyCharts(
  activity: GuardrailActivity,
  { starts, labels, axis }: Timeline,
  open: (start: string) => void,
): CategoryChart[] {
  const byDay = new Map((activity.groups ?? []).map((group) => [group.key, group]));
  const values = (read: (group: Group) => number) =>
    starts.map((start) => {
      const group = byDay.get(start);
      return group ? read(group) : 0;
    });
  const base = {
    kind: 'bars',
    unit: '',
    axis,
    categories: labels,
    format: formatCount,
    whole: true,
    open: (category: number) => {
      const start = starts[category];
      if (start !== undefined) open(start);
    },
  } as const;
  const failed = values((group) => group.failed);
  const caught = [
    { name: 'Blocked', values: values(({ blocked }) => blocked), color: 'bad' as const },
    { name: 'Redacted', values: values(({ redacted }) => redacted), color: 3 },
    { name: 'Flagged', values: values(({ flagged }) => flagged), color: 1 },
  ].filter((series) => series.values.some((value) => value > 0));
  return [
    {
      ...base,
      // A single series has no legend.
      title: `${caught.length === 1 ? caught[0]?.name : 'Caught'} by day`,
      stacked: true,
      series: caught,
    },
    {
      ...base,
      title: 'Checks by day',
      stacked: true,
      series: [
        { name: 'Ran', values: values((group) => group.checks - group.failed), color: 2 },
        ...(failed.some((value) => value > 0) ? [{ name: 'Failed', values: failed, color: 'bad' as const }] : []),
      ],
    },
  ];
}

/** The rows of a guardrail by environment, busiest first. Null: checks without an environment. */
export function environmentRows(activity: GuardrailActivity): ReadonlyArray<Counts & { environment: string | null }> {
  return (activity.groups ?? [])
    .map(({ key, ...counts }) => ({ ...counts, environment: key }))
    .toSorted((left, right) => right.triggered - left.triggered || right.checks - left.checks);
}

/** The text of a check's output that says that a guardrail triggered, for the search in traces. */
export function triggeredText({ slug, type }: { slug: string; type: GuardrailTypeName }): string {
  return `"guardrail":"${slug}","type":"${type}","triggered":true`;
}
