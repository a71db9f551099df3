import type { GuardrailTypeName } from '../../api/parts.ts';
import type { GuardrailActivity } from '../../api/service.ts';
import type { CategoryChart } from '../../design/chart-model.ts';
import { counted, formatCount } from '../../format/number-format.ts';
import type { Timeline } from '../../range.ts';

type Group = NonNullable<GuardrailActivity['groups']>[number];
type Row = GuardrailActivity['byGuardrail'][number];
/** The counts of one guardrail. */
export type Counts = Pick<Row, 'checks' | 'caught' | 'flagged' | 'redacted' | 'blocked' | 'failed' | 'failedBlocked'>;

/** What a guardrail did in a few days. */
export interface Recent {
  checks: number;
  /** Without failures. */
  caught: number;
  failed: number;
  failedBlocked: number;
  /** Caught checks by day, oldest first. */
  days: readonly number[];
}

const none: Recent = { checks: 0, caught: 0, failed: 0, failedBlocked: 0, days: [] };

/**
 * What each guardrail did, by slug.
 *
 * @param activity grouped by day
 * @param starts the days, oldest first
 */
export function recentBySlug(activity: GuardrailActivity, starts: readonly string[]): ReadonlyMap<string, Recent> {
  const groups = Map.groupBy(activity.groups ?? [], ({ guardrail }) => guardrail);
  return new Map(
    activity.byGuardrail.map(({ guardrail, checks, caught, failed, failedBlocked }) => {
      const byDay = new Map(groups.get(guardrail)?.map((group) => [group.key, group.caught]));
      return [guardrail, { checks, caught, failed, failedBlocked, days: starts.map((start) => byDay.get(start) ?? 0) }];
    }),
  );
}

/** What a guardrail did; zeros if it did nothing. */
export function recentOf(bySlug: ReadonlyMap<string, Recent>, slug: string, days: number): Recent {
  return bySlug.get(slug) ?? { ...none, days: Array.from({ length: days }, () => 0) };
}

/** What was caught and what failed: `Caught 2 · failed 2, of which 2 blocked`. */
export function outcomeWords({ caught, failed, failedBlocked }: Pick<Counts, 'caught' | 'failed' | 'failedBlocked'>): string {
  const blocked = failedBlocked > 0 ? `, of which ${formatCount(failedBlocked)} blocked` : '';
  return `Caught ${formatCount(caught)}${failed > 0 ? ` · failed ${formatCount(failed)}${blocked}` : ''}`;
}

/** A sparkline in words: `Caught 12 of 3.4K checks. By day, oldest first: 0, 4, 8.` */
export function recentLabel({ checks, days, ...counts }: Recent): string {
  if (checks === 0) return 'No checks.';
  return `${outcomeWords(counts)}, of ${counted(checks, 'check')}. By day, oldest first: ${days.join(', ')}.`;
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
    { name: 'Blocked', values: values(({ blocked, failedBlocked }) => blocked - failedBlocked), color: 'bad' as const },
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
    .toSorted((left, right) => right.caught - left.caught || right.checks - left.checks);
}

/** The text of a check's output that says that a guardrail triggered, for the search in traces. */
export function triggeredText({ slug, type }: { slug: string; type: GuardrailTypeName }): string {
  return `"guardrail":"${slug}","type":"${type}","triggered":true`;
}
