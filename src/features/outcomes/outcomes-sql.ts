/** Maximum kinds, rows of a timeline, and other rows of one dimension in a response. */
export const maxKinds = 1_000;
export const maxDays = 20_000;
export const maxGroups = 5_000;

/** The outcomes of a range. */
const inRange = `outcomes FINAL
  WHERE start_time >= fromUnixTimestamp64Milli({from:Int64}, 'UTC') AND start_time < fromUnixTimestamp64Milli({before:Int64}, 'UTC')`;
const ofKind = ' AND kind = {kind:String}';

/** Which outcomes of a range are read. */
export interface Wanted {
  /** Those of `{kind:String}` alone. */
  oneKind: boolean;
  /**
   * FROM and WHERE of the summaries of the traces whose outcomes count, with the columns `trace_id`, `cost`, `models` and `agents` and the calls without
   * a price; outcomes of other traces do not count. null: all do.
   */
  traces: string | null;
}

function rangeOf({ oneKind, traces }: Wanted): string {
  const known = traces === null ? '' : ` AND trace_id GLOBAL IN (SELECT trace_id FROM ${traces})`;
  return `${inRange}${oneKind ? ofKind : ''}${known}`;
}

/**
 * Sums over outcomes. `scaled` is the sum in units of 2^64, for sums beyond the range of a number: `magnitude` is infinite then. The
 * order of summation shows in the digits below those of `magnitude`. The engine would move the factor out of `sum`.
 */
function sums(prefix = ''): string {
  return `count() AS ${prefix}outcomes, countIf(success = 1) AS ${prefix}succeeded, countIf(success = 0) AS ${prefix}failed,
    sumKahan(ifNull(value, 0)) AS ${prefix}amount, sum(abs(ifNull(value, 0))) AS ${prefix}magnitude,
    sumKahan(ifNull(value, 0) * 5.421010862427522e-20) AS ${prefix}scaled`;
}

/** Sums of {@link sums} over several groups. @param from prefix of the columns @param to prefix of their sums */
function resummed(from: string, to = ''): string {
  const summed = (column: string) => `sum(${from}${column}) AS ${to}${column}`;
  const compensated = (column: string) => `sumKahan(${from}${column}) AS ${to}${column}`;
  return [...['outcomes', 'succeeded', 'failed', 'magnitude'].map(summed), ...['amount', 'scaled'].map(compensated)].join(', ');
}

/** The kinds of a range, with the times of their first and last outcome in epoch milliseconds. */
export const kindsSql = (
  wanted: Wanted,
): string => `SELECT kind, count() AS outcomes, toUnixTimestamp64Milli(min(start_time)) AS first_ms, toUnixTimestamp64Milli(max(start_time)) AS last_ms
FROM ${rangeOf(wanted)}
GROUP BY kind
ORDER BY kind
LIMIT ${maxKinds + 1}`;

/** The outcomes of each day, the newest days first. */
export function daysSql(wanted: Wanted): string {
  return `SELECT toString(toDate(start_time, 'UTC')) AS day, kind, currency, ${sums()}
FROM ${rangeOf(wanted)}
GROUP BY day, kind, currency
ORDER BY day DESC, kind, currency
LIMIT ${maxDays + 1}`;
}

/** What the figures need of the summary of a trace. */
export const traceColumns = 'trace_id, cost, unpriced_calls, partly_priced_calls, models, agents';

/**
 * The outcomes of a range by kind and currency: all of them (dimension `all`), and those of each agent and model of their traces. `cost` counts each trace
 * once in a row. The rows with the most outcomes come first. Outcomes of traces with the same agents and models are added up before they are
 * attributed, since there are few combinations.
 *
 * @param traces FROM and WHERE of the traces' summaries, with the columns {@link traceColumns}
 */
export function groupsSql(traces: string, wanted: Wanted): string {
  return `SELECT member.1 AS dimension, member.2 AS name, kind, currency, ${resummed('member_')}, sumKahan(member_cost) AS cost, sum(member_unpriced) AS unpriced, sum(member_partly_priced) AS partly_priced
FROM (
  SELECT kind, currency, ${resummed('trace_', 'member_')}, sumKahan(cost) AS member_cost, sum(unpriced_calls) AS member_unpriced,
    sum(partly_priced_calls) AS member_partly_priced,
    arrayJoin(arrayConcat([('all', '')], arrayMap(x -> ('agent', toString(x)), agents), arrayMap(x -> ('model', toString(x)), models))) AS member
  FROM (
    SELECT ${traceColumns} FROM ${traces}
  ) AS known
  GLOBAL ANY RIGHT JOIN (
    SELECT trace_id, kind, currency, ${sums('trace_')}
    FROM ${rangeOf(wanted)}
    GROUP BY trace_id, kind, currency
  ) AS named USING (trace_id)
  GROUP BY kind, currency, models, agents
)
GROUP BY dimension, name, kind, currency
ORDER BY outcomes DESC, name, kind, currency
LIMIT ${maxGroups + 1} BY dimension`;
}
