import type { OutcomeSummary, OutcomeSummaryQuery } from '../../contract/outcomes.ts';
import type { Tenant } from '../../platform/http/index.ts';
import { exact, ratio } from '../../platform/statistics/index.ts';
import { compareCodePoints } from '../../platform/text/index.ts';
import { timesOf } from '../figures/index.ts';
import { retainedTraces } from '../traces/index.ts';
import { valueOf } from './outcome-sums.ts';
import type { OutcomeSums } from './outcome-sums.ts';
import type { OutcomesContext } from './outcomes-context.ts';
import { ofEnvironments } from './of-environments.ts';
import { daysSql, groupsSql, maxDays, maxGroups, traceColumns } from './outcomes-sql.ts';

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
  unpriced: number;
  partly_priced: number;
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
  { kind, environment, ...range }: OutcomeSummaryQuery,
): Promise<OutcomeSummary> {
  const { times } = timesOf(range, tenant.plan, clock.now());
  const traces = await retainedTraces({ clickhouse, clock }, tenant, `${traceColumns}, environment`);
  const known = environment ? ofEnvironments(traces.source, environment) : traces.source;
  const wanted = { oneKind: kind !== undefined, traces: environment ? known.text : null };
  const parameters = { ...times, ...(kind === undefined ? {} : { kind }), ...known.parameters };
  const [days, groups] = await Promise.all([
    traces.reader.query<DayRow>(daysSql(wanted), parameters),
    traces.reader.query<GroupRow>(groupsSql(known.text, wanted), parameters),
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
      judgedCount: row.succeeded + row.failed,
      successRate: ratio(row.succeeded, row.succeeded + row.failed, null),
      value: valueOf(row),
      ...costOf(row),
      costPerOutcome: ratio(row.cost, row.outcomes, null),
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

/** A cost per success over costs that are not known whole would be too low. */
function costOf({ cost, unpriced, partly_priced: partlyPriced, succeeded }: GroupRow) {
  return {
    cost: exact(cost),
    unpricedCalls: unpriced,
    partlyPricedCalls: partlyPriced,
    costPerSuccess: unpriced + partlyPriced > 0 ? null : ratio(cost, succeeded, null),
  };
}

function figuresOf(row: GroupRow) {
  return { ...countsOf(row), value: valueOf(row), ...costOf(row) };
}
