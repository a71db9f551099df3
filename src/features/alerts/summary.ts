import type { AlertWindow } from '../../contract/alerts.ts';
import type { Condition } from './condition.ts';

const numbers = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 4 });
const percent = (value: number) => `${numbers.format(value * 100)}%`;
/** Dollars have two decimals where they would have one. */
const money = (value: number) => `$${numbers.format(value).replace(/\.\d$/, '$&0')}`;
const milliseconds = (value: number) => `${numbers.format(value)} ms`;
const checks = (value: number) => `${numbers.format(value)} ${value === 1 ? 'check' : 'checks'}`;

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
  const { threshold } = condition;
  switch (condition.type) {
    case 'error-rate':
      return `${percent(value)} of the calls${of} failed ${last}; the threshold is ${percent(threshold)}.`;
    case 'latency':
      return `The p95 latency of the calls${of} ${last} is ${milliseconds(value)}; the threshold is ${milliseconds(threshold)}.`;
    case 'cost':
      return `The calls${of} ${last} cost ${money(value)}; the threshold is ${money(threshold)}.`;
    case 'quality':
      return `The mean score${of} ${last} is ${numbers.format(value)}; the threshold is ${numbers.format(threshold)}.`;
    case 'guardrail':
      return `Guardrails triggered on ${checks(value)}${of} ${last}; the threshold is ${numbers.format(threshold)}.`;
    case 'ingest-stopped':
      return `No span has arrived for ${numbers.format(value)} seconds; the threshold is ${numbers.format(threshold)}.`;
  }
}

function placeOf({ groupBy, environment }: Condition, scope: string): string {
  const group = groupBy === null ? '' : groupBy === 'environment' ? ` in ${scope}` : ` of ${groupBy} ${scope}`;
  return environment === null || groupBy === 'environment' ? group : `${group} in ${environment}`;
}
