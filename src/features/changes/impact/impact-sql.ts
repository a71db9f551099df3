import { roundedDuration } from '../../figures/index.ts';

/** What narrows both sides of an impact; absent: no narrowing. */
export interface Narrowing {
  model?: string | undefined;
  agent?: string | undefined;
  environment?: string | undefined;
  service?: string | undefined;
}

const inWindow = (column: string) =>
  `${column} >= fromUnixTimestamp64Milli({fromMs:Int64}) AND ${column} < fromUnixTimestamp64Milli({toMs:Int64})`;
const isAfter = 'start_time >= fromUnixTimestamp64Milli({atMs:Int64})';
const hours = 'hour >= toStartOfHour(fromUnixTimestamp64Milli({fromMs:Int64})) AND hour < toDateTime({endHour:UInt32})';

/** The calls that count: conditions on `calls`. */
function callConditions({ model, agent, environment, service }: Narrowing): string {
  const conditions = ["model != ''"];
  if (model !== undefined) conditions.push('model = {model:String}');
  if (agent !== undefined) conditions.push('agent_name = {agent:String}');
  if (environment !== undefined) conditions.push('environment = {environment:String}');
  if (service !== undefined) {
    const ofService = `SELECT trace_id, span_id FROM spans FINAL WHERE ${inWindow('start_time')} AND service = {service:String}`;
    conditions.push(`(trace_id, span_id) GLOBAL IN (${ofService})`);
  }
  return conditions.map((condition) => ` AND ${condition}`).join('');
}

/** Calls, errors and the sum and variance of their cost, before and after `{atMs:Int64}`. */
export const callsSql = (by: Narrowing): string => `SELECT ${isAfter} AS after, count() AS calls, sum(error) AS errors,
  sumKahan(cost) AS cost_sum, if(calls > 1, varSampStable(cost), 0) AS cost_variance
FROM calls FINAL
WHERE ${hours} AND ${inWindow('start_time')}${callConditions(by)}
GROUP BY after`;

/** Finished calls by rounded duration, ascending, before and after. A duration has at most some thousand values (`roundedDuration`). */
export const durationsSql = (
  by: Narrowing,
): string => `SELECT ${isAfter} AS after, ${roundedDuration('duration_ms')} AS ms, count() AS calls
FROM calls FINAL
WHERE ${hours} AND ${inWindow('start_time')} AND finished = 1${callConditions(by)}
GROUP BY after, ms
ORDER BY after, ms
LIMIT 100000`;

/** Quality scores with the sum and variance of their share of the scale, before and after, of calls and traces that count. */
export function scoresSql(by: Narrowing): string {
  const { model, ...others } = by;
  const narrows = Object.values(others).some((value) => value !== undefined);
  const ofCalls = `trace_id GLOBAL IN (SELECT trace_id FROM calls FINAL WHERE ${hours} AND ${inWindow('start_time')}${callConditions(others)})`;
  return `SELECT ${isAfter} AS after, count() AS scores, sumKahan(share) AS score_sum, if(scores > 1, varSampStable(share), 0) AS variance
FROM (
  SELECT start_time, (score - scale_min) / (scale_max - scale_min) AS share
  FROM quality FINAL
  WHERE ${hours} AND ${inWindow('start_time')} AND is_quality = 1${model === undefined ? '' : ' AND model = {model:String}'}${narrows ? ` AND ${ofCalls}` : ''}
)
GROUP BY after`;
}
