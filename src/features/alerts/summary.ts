import { figureText } from '../../contract/alert-types/figure-text.ts';
import { alertTypes } from '../../contract/alert-types/index.ts';
import type { AlertWindow } from '../../contract/alerts.ts';
import type { Condition } from './condition.ts';

const windowWords: Readonly<Record<AlertWindow, string>> = {
  '5m': '5 minutes',
  '15m': '15 minutes',
  '30m': '30 minutes',
  '1h': 'hour',
  '6h': '6 hours',
  '24h': '24 hours',
};

/** One sentence that says what opened an incident. @param value null: lack of data */
export function summaryOf(condition: Condition, scope: string, value: number | null): string {
  const of = placeOf(condition, scope);
  const last = `in the last ${windowWords[condition.window]}`;
  if (value === null) return `There is no data${of} ${last}.`;
  const { unit, summary } = alertTypes[condition.type];
  const figure = summary({ value: figureText(unit, value), of, last, count: condition.count });
  return `${figure}; the threshold is ${figureText(unit, condition.threshold)}.`;
}

function placeOf({ groupBy, environment }: Condition, scope: string): string {
  const group = groupBy === null ? '' : groupBy === 'environment' ? ` in ${scope}` : ` of ${groupBy} ${scope}`;
  return environment === null || groupBy === 'environment' ? group : `${group} in ${environment}`;
}
