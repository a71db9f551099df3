import type { OutcomeSummary, OutcomeSummaryQuery } from '../../contract/outcomes.ts';
import type { Tenant } from '../../platform/http/index.ts';
import { exact, ratio } from '../../platform/statistics/index.ts';
import { compareCodePoints } from '../../platform/text/index.ts';
import { retainedTraces } from '../traces/index.ts';
import { valueOf } from './outcome-sums.ts';
import type { OutcomeSums } from './outcome-sums.ts';
import type { OutcomesContext } from './outcomes-context.ts';
import { daysSql, groupsSql, maxDays, maxGroups } from './outcomes-sql.ts';
import { timesOf } from './times-of.ts';

interface Group extends OutcomeSums {
  kind: string;
  currency: string;
}
interface DayRow extends Group {
  day: string;
}
interface GroupRow extends Group {
  dimension: 'all' | 'agent' | 'model';
  name: string;
  cost: number;
}

/**
 * The outcomes of a range: in total, by day, and by the agents and models of their traces (docs/semantics.md, "Outcome figures"). Attributed when it is read, so
 * that spans and prices that came later count.
 *
 * Errors: `invalid_request` for a range that cannot be read.
 */
export async function getSummary(
  { clickhouse, clock }: OutcomesContext,
  tenant: Tenant,
  { kind, ...range }: OutcomeSummaryQuery,
): Promise<OutcomeSummary> {
  const { times } = timesOf(range, tenant.plan, clock.now());
  const oneKind = kind !== undefined;
  const parameters = oneKind ? { ...times, kind } : times;
  const traces = await retainedTraces({ clickhouse, clock }, tenant, 'trace_id, cost, models, agents');
  const [days, groups] = await Promise.all([
    traces.reader.query<DayRow>(daysSql(oneKind), parameters),
    traces.reader.query<GroupRow>(groupsSql(traces.source.text, oneKind), { ...parameters, ...traces.source.parameters }),
  ]);
  const of = (dimension: GroupRow['dimension']) =>
    groups
      .filter((row) => row.dimension === dimension)
      .slice(0, maxGroups)
      .toSorted((left, right) => compareCodePoints(left.name, right.name) || byKind(left, right));
  const isCut = days.length > maxDays || ['all', 'agent', 'model'].some((dimension) => countOf(groups, dimension) > maxGroups);
  return {
    totals: of('all').map((row) => ({
      ...countsOf(row),
      successRate: ratio(row.succeeded, row.succeeded + row.failed, null),
      value: valueOf(row),
      cost: exact(row.cost),
      costPerOutcome: ratio(row.cost, row.outcomes, null),
      costPerSuccess: ratio(row.cost, row.succeeded, null),
    })),
    timeline: days
      .slice(0, maxDays)
      .toSorted((left, right) => compareCodePoints(left.day, right.day) || byKind(left, right))
      .map((row) => ({ day: row.day, ...countsOf(row), value: valueOf(row) })),
    byAgent: of('agent').map((row) => ({ agent: row.name, ...figuresOf(row) })),
    byModel: of('model').map((row) => ({ model: row.name, ...figuresOf(row) })),
    ...(isCut ? { truncated: true } : {}),
  };
}

function countOf(groups: readonly GroupRow[], dimension: string): number {
  return groups.filter((row) => row.dimension === dimension).length;
}

function byKind(left: Group, right: Group): number {
  return compareCodePoints(left.kind, right.kind) || compareCodePoints(left.currency, right.currency);
}

function countsOf({ kind, currency, outcomes, succeeded }: Group) {
  return { kind, currency, count: outcomes, successCount: succeeded };
}

function figuresOf(row: GroupRow) {
  const { cost, succeeded } = row;
  return { ...countsOf(row), value: valueOf(row), cost: exact(cost), costPerSuccess: ratio(cost, succeeded, null) };
}
