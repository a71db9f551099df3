import { retentionCutoff } from '../../../contract/plans.ts';
import type { Plan } from '../../../contract/plans.ts';
import type { TenantReader } from '../../../platform/clickhouse/index.ts';
import type { AlertsContext } from '../alerts-context.ts';
import type { Condition } from '../condition.ts';
import type { PreparedRule } from '../prepare-rule.ts';
import type { ScopeFigure } from '../evaluate-scopes.ts';
import { readFigures } from './read-figures.ts';

/**
 * The figures of prepared rules, by rule: of each the worst scope first.
 *
 * @param rules one, or several of a project with the same `sharedRead` and `nowMs`
 */
export async function figuresOf(context: AlertsContext, rules: readonly PreparedRule[]): Promise<ScopeFigure[][]> {
  const [first] = rules;
  if (!first) return [];
  const { row, plan, condition, nowMs, sinceMs } = first;
  if (condition.figure.of === 'arrivals') {
    return [[silenceOf(condition, await context.newestSpanMs(row.project_id), sinceMs ?? 0, nowMs)]];
  }
  const read = rules.map((rule) => ({ condition: rule.condition, kept: keptScopes(rule) }));
  return readFigures(readerOf(context, plan, row.project_id, nowMs), read, nowMs);
}

/** A reader of what a project retains at `nowMs`. */
export function readerOf({ clickhouse }: AlertsContext, plan: Plan, projectId: string, nowMs: number): TenantReader {
  return clickhouse.forTenant({ projectId, oldestMs: retentionCutoff(plan, nowMs), partlyExpired: true });
}

const keptScopes = ({ before }: PreparedRule): string[] =>
  [...before].filter(([, state]) => state.incidentId !== null || state.suppressed).map(([scope]) => scope);

/** Seconds without a span. Longer than the window, but not observed for so long, is not known to be a silence. */
function silenceOf({ threshold }: Condition, newestMs: number, sinceMs: number, nowMs: number): ScopeFigure {
  if (newestMs === 0) return { scope: '', count: 0, value: null };
  const secondsSince = (ms: number) => Math.max(0, nowMs - ms) / 1_000;
  const value = secondsSince(newestMs);
  const unknown = value > threshold && secondsSince(Math.max(newestMs, sinceMs)) <= threshold;
  return { scope: '', count: 1, value, unknown };
}
