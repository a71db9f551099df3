import type { AlertFigure } from '../../contract/alert-types/alert-type.ts';
import { alertTypes } from '../../contract/alert-types/index.ts';
import { alertWindows } from '../../contract/alerts.ts';
import type { AlertFilter, AlertRule, AlertType, AlertWindow } from '../../contract/alerts.ts';

/** What a rule measures and when it fires, with every default filled in. */
export interface Condition {
  type: AlertType;
  /** What is evaluated. */
  figure: AlertFigure;
  /** Of arrivals the window in seconds. */
  threshold: number;
  recoveryThreshold: number;
  window: AlertWindow;
  windowMs: number;
  filter: AlertFilter;
  environment: string | null;
  groupBy: AlertRule['groupBy'];
  /** Of checks what is counted. */
  count: AlertRule['count'];
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
  | 'count'
  | 'minCount'
  | 'forMinutes'
  | 'noData'
>;

/** The condition of a rule; null for a type that is not evaluated. */
export function conditionOf(rule: Fields): Condition | null {
  const { type, filter, environment, groupBy, count, minCount, forMinutes, noData } = rule;
  const { figure } = alertTypes[type];
  if (figure === null) return null;
  const window = rule.window ?? '15m';
  const windowMs = alertWindows[window];
  const threshold = figure.of === 'arrivals' ? windowMs / 1_000 : (rule.threshold ?? 0);
  const recoveryThreshold = rule.recoveryThreshold ?? threshold;
  return {
    type,
    figure,
    threshold,
    recoveryThreshold,
    window,
    windowMs,
    filter,
    environment,
    groupBy,
    count,
    minCount,
    forMinutes,
    noData,
  };
}
