import { alertWindows } from '../src/contract/alerts.ts';
import type { AlertRule, AlertWindow } from '../src/contract/alerts.ts';

/** A rule of the benchmark, as a body of `POST /v1/projects/{id}/alerts`. */
export type BenchRule = Pick<AlertRule, 'name' | 'filter' | 'environment' | 'groupBy'> & {
  minCount?: 1;
  type: keyof typeof unreachable | 'ingest-stopped';
  window: AlertWindow;
  threshold?: number;
};

/** Thresholds that no figure reaches: an interval without incidents. */
const unreachable = { 'error-rate': 1, latency: 1e12, cost: 1e12, quality: -1, guardrail: 1e12 } as const;
const whole = { filter: {}, environment: null, groupBy: null } as const;
const named = { ...whole, filter: { models: ['model-1', 'model-2'], agents: ['agent-3'] } };
const ofAgent = { ...whole, filter: { agents: ['agent-3'] } };
const grouped = { ...whole, environment: 'production' } as const;
const windows = Object.keys(alertWindows) as AlertWindow[];

/** 50 rules: every type, windows from 5 minutes to a day, with and without groups, filters and environments. */
export function benchRules(): BenchRule[] {
  const fields = windows.flatMap((window, index): Array<Omit<BenchRule, 'name'>> => [
    ...(['error-rate', 'latency', 'cost'] as const).flatMap((type) => [
      { type, window, ...(index % 2 === 0 ? whole : named) },
      { type, window, ...grouped, groupBy: index % 2 === 0 ? ('agent' as const) : ('model' as const) },
    ]),
    { type: 'quality', window, ...(index % 2 === 0 ? whole : ofAgent) },
  ]);
  fields.push(
    { type: 'quality', window: '1h', ...whole, groupBy: 'agent' },
    { type: 'quality', window: '24h', ...whole, filter: { evaluators: ['evaluator-1'] }, groupBy: 'model' },
    { type: 'guardrail', window: '15m', ...whole },
    { type: 'guardrail', window: '24h', ...whole, filter: { guardrails: ['secrets'] }, groupBy: 'environment' },
    { type: 'guardrail', window: '6h', ...grouped },
    { type: 'ingest-stopped', window: '5m', ...whole },
    { type: 'ingest-stopped', window: '1h', ...whole },
    { type: 'ingest-stopped', window: '24h', ...whole },
  );
  return fields.map((rule, index) => ({
    ...rule,
    name: `rule ${index}`,
    ...(rule.type === 'ingest-stopped' ? {} : { threshold: unreachable[rule.type], minCount: 1 }),
  }));
}

const measures = {
  'error-rate': `countIf(status = 'error') / count()`,
  latency: `quantileExact(0.95)(dateDiff('millisecond', start_time, end_time))`,
  cost: 'sum(cost_usd)',
} as const;
const columns = { model: 'model', agent: 'agent_name', environment: 'environment' } as const;

/** The figure of a rule as one statement without `FINAL`, as an operator would write it: of calls over the raw spans. Needs the parameters `project` and `now` (ms). */
export function byHand({ type, window, filter, environment, groupBy }: BenchRule): string {
  const during = `project_id = {project:UUID} AND start_time > fromUnixTimestamp64Milli({now:Int64} - ${alertWindows[window]}) AND start_time <= fromUnixTimestamp64Milli({now:Int64})`;
  const names = (values: readonly string[]) => values.map((value) => `'${value}'`).join(', ');
  const ofCalls = [
    ...(filter.models ? [`model IN (${names(filter.models)})`] : []),
    ...(filter.agents ? [`agent_name IN (${names(filter.agents)})`] : []),
    ...(environment === null ? [] : [`environment = '${environment}'`]),
  ];
  const where = (conditions: readonly string[]) => `WHERE ${[during, ...conditions].join(' AND ')}`;
  const calls = `FROM spans ${where([`kind = 'llm'`, ...ofCalls])}`;
  const scope = groupBy === null ? `''` : columns[groupBy];
  if (type === 'ingest-stopped') return `SELECT max(start_time) FROM spans ${where([])}`;
  if (type === 'guardrail') {
    return `SELECT ${scope} AS scope, sum(flagged + redacted + blocked) FROM guardrail_activity ${where(ofCalls)} GROUP BY scope`;
  }
  if (type !== 'quality') return `SELECT ${scope} AS scope, count(), ${measures[type]} ${calls} GROUP BY scope`;
  const evaluators = filter.evaluators ? [`evaluator IN (${names(filter.evaluators)})`] : [];
  if (groupBy === 'agent') {
    return `SELECT agent_name AS scope, count(), avg(score) FROM quality JOIN (SELECT DISTINCT trace_id, agent_name ${calls}) AS c USING (trace_id) ${where([])} GROUP BY scope`;
  }
  const traces = filter.agents ? [`trace_id IN (SELECT trace_id ${calls})`] : [];
  return `SELECT ${scope} AS scope, count(), avg(score) FROM quality ${where([...evaluators, ...traces])} GROUP BY scope`;
}
