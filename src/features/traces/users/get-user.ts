import { ServiceError } from '../../../contract/errors.ts';
import type { ApplicationUserDetail, UserQuery } from '../../../contract/users.ts';
import { allOf, indented } from '../../../platform/clickhouse/index.ts';
import type { SqlPart } from '../../../platform/clickhouse/index.ts';
import type { Tenant } from '../../../platform/http/index.ts';
import { exact } from '../../../platform/statistics/index.ts';
import { triggeredGuardrails } from '../filter/span-values.ts';
import { sourceOf } from '../partly-expired.ts';
import type { SummarySource } from '../partly-expired.ts';
import { timeRange } from '../time-range.ts';
import { conditionsOf } from '../trace-filters.ts';
import { readersFor } from '../traces-context.ts';
import type { TracesContext } from '../traces-context.ts';
import { withTold } from './list-users.ts';
import { activityOf, activitySums, userColumns, userSums } from './user-row.ts';
import type { ActivityRow, UserRow } from './user-row.ts';
import { ofUsers, tracesOfUsers } from './user-traces.ts';
import type { UserTraces } from './user-traces.ts';

type Reading = Pick<TracesContext, 'clickhouse' | 'clock'>;

/** Maximum models, agents and guardrails of a user. */
const maxRows = 1_000;

/**
 * One user of the application over a range: their figures as in the list, by day, by model and by agent, and the guardrails that triggered
 * (docs/semantics.md, "Users").
 *
 * Errors: `not_found` without a trace in the range, `invalid_request` for an invalid range.
 */
export async function getUser(
  context: Reading,
  tenant: Tenant,
  userId: string,
  query: UserQuery,
): Promise<ApplicationUserDetail> {
  const nowMs = context.clock.now();
  const traces = tracesOf(userId, query, nowMs);
  const source = await sourceOf(readersFor(context, tenant), traces.range.fromNs);
  const read = <T>({ text, parameters }: SqlPart) => source.reader.query<T>(text, parameters);
  const { partlyExpired } = source;
  const [rows, timeline, byModel, byAgent, guardrails] = await Promise.all([
    read<UserRow>(userSql(traces, partlyExpired)),
    read<ActivityRow & { day: string }>(userDaysSql(traces, partlyExpired)),
    read<CalledRow>(userCallsSql(traces, 'model', partlyExpired)),
    read<CalledRow>(userCallsSql(traces, 'agent_name', partlyExpired)),
    read<{ slug: string; triggered: number }>(userGuardrailsSql(traces, partlyExpired)),
  ]);
  const [user] = await withTold(source, traces, rows);
  if (!user) throw noUser();
  return {
    user,
    timeline: timeline.map((row) => ({ day: row.day, ...activityOf(row) })),
    byModel: byModel.map((row) => ({ model: row.name, ...calledOf(row) })),
    byAgent: byAgent.map((row) => ({ agent: row.name, ...calledOf(row) })),
    guardrails,
  };
}

/** Errors: `not_found` for a user without a trace that is retained. */
export async function checkUserExists(context: Reading, tenant: Tenant, userId: string): Promise<void> {
  const nowMs = context.clock.now();
  const traces = tracesOf(userId, { range: '365d' }, nowMs);
  const { reader, partlyExpired } = await sourceOf(readersFor(context, tenant), traces.range.fromNs);
  const { text, parameters } = tracesOfUsers(traces, 'trace_id, user_id', partlyExpired);
  const rows = await reader.query(`SELECT trace_id FROM ${text}\nLIMIT 1`, parameters);
  if (rows.length === 0) throw noUser();
}

function noUser(): ServiceError {
  return new ServiceError(
    'not_found',
    'There is no trace of such a user in this project and time; check the id, choose a longer range, or list the users that there are.',
  );
}

function tracesOf(userId: string, query: UserQuery, nowMs: number): UserTraces {
  const named = allOf([{ text: `user_id != ''`, parameters: {} }, ofUsers([userId])]);
  return { range: timeRange(query, nowMs), conditions: conditionsOf({}, {}, nowMs), ofUser: named };
}

/** SQL of the sums of a user's traces; no row without any. */
export function userSql(traces: UserTraces, partlyExpired: SummarySource['partlyExpired']): SqlPart {
  const { text, parameters } = tracesOfUsers(traces, userColumns, partlyExpired);
  return { text: `SELECT user_id, ${userSums}\nFROM ${text}\nGROUP BY user_id`, parameters };
}

/** SQL of the sums of a user's traces by the day on which they started. */
export function userDaysSql(traces: UserTraces, partlyExpired: SummarySource['partlyExpired']): SqlPart {
  const { text, parameters } = tracesOfUsers(traces, userColumns, partlyExpired);
  return {
    text: `SELECT toString(toDate(start_time, 'UTC')) AS day, ${activitySums}
FROM ${text}
GROUP BY day
ORDER BY day`,
    parameters,
  };
}

interface CalledRow {
  name: string;
  calls: number;
  unpriced: number;
  partly_priced: number;
  total_cost: number;
}

function calledOf(row: CalledRow) {
  return {
    calls: row.calls,
    unpricedCalls: row.unpriced,
    partlyPricedCalls: row.partly_priced,
    costUsd: exact(row.total_cost),
  };
}

/** SQL of the calls of a user's traces by model or agent. A call starts no earlier than its trace. */
export function userCallsSql(
  traces: UserTraces,
  column: 'model' | 'agent_name',
  partlyExpired: SummarySource['partlyExpired'],
): SqlPart {
  const { text, parameters } = tracesOfUsers(traces, 'trace_id', partlyExpired);
  const named = column === 'model' ? '' : ` AND ${column} != ''`;
  // Rounded, so that the order of summation does not decide between equal costs.
  return {
    text: `SELECT toString(${column}) AS name, count() AS calls, sum(unpriced) AS unpriced, sum(partly_priced) AS partly_priced, sumKahan(cost) AS total_cost
FROM calls FINAL
WHERE model != ''${named} AND hour >= toStartOfHour(fromUnixTimestamp64Nano({from:Int64})) AND trace_id GLOBAL IN (
    SELECT trace_id FROM ${indented(text, 4)}
  )
GROUP BY name
ORDER BY round(total_cost, 12) DESC, calls DESC, name
LIMIT ${maxRows}`,
    parameters,
  };
}

/** SQL of the checks of a user's traces in which a guardrail triggered, by guardrail. */
export function userGuardrailsSql(traces: UserTraces, partlyExpired: SummarySource['partlyExpired']): SqlPart {
  const { text, parameters } = tracesOfUsers(traces, 'trace_id', partlyExpired);
  return {
    text: `SELECT slug, count() AS triggered
FROM (
  SELECT arrayJoin(arrayDistinct(${triggeredGuardrails})) AS slug FROM spans FINAL
  PREWHERE trace_id GLOBAL IN (
    SELECT trace_id FROM ${indented(text, 4)}
  )
  WHERE span_id != '' AND kind = 'guardrail'
)
WHERE slug != ''
GROUP BY slug
ORDER BY triggered DESC, slug
LIMIT ${maxRows}`,
    parameters,
  };
}
