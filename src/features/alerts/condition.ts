import { alertWindows } from '../../contract/alerts.ts';
import type { AlertFilter, AlertRule, AlertWindow } from '../../contract/alerts.ts';
import type { EvaluatedType } from './alert-types.ts';

/** What a rule measures and when it fires, with every default filled in. */
export interface Condition {
  type: EvaluatedType;
  /** For `ingest-stopped` the window in seconds. */
  threshold: number;
  recoveryThreshold: number;
  window: AlertWindow;
  windowMs: number;
  filter: AlertFilter;
  environment: string | null;
  groupBy: AlertRule['groupBy'];
  /** null: the type counts nothing. */
  minCount: number | null;
  forMinutes: number;
  noData: AlertRule['noData'];
}

type Fields = Pick<
  AlertRule,
  | 'type'
  | 'threshold'
  | 'recoveryThreshold'
  | 'window'
  | 'filter'
  | 'environment'
  | 'groupBy'
  | 'minCount'
  | 'forMinutes'
  | 'noData'
>;

/** The condition of a rule; null for a rule of type `model-lifecycle`, which is not evaluated. */
export function conditionOf(rule: Fields): Condition | null {
  const { type, filter, environment, groupBy, minCount, forMinutes, noData } = rule;
  if (type === 'model-lifecycle') return null;
  const window = rule.window ?? '15m';
  const windowMs = alertWindows[window];
  const threshold = type === 'ingest-stopped' ? windowMs / 1_000 : (rule.threshold ?? 0);
  const recoveryThreshold = rule.recoveryThreshold ?? threshold;
  return { type, threshold, recoveryThreshold, window, windowMs, filter, environment, groupBy, minCount, forMinutes, noData };
}
