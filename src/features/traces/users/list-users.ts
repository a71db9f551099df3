import type { ApplicationUser, ListUsersQuery } from '../../../contract/users.ts';
import { allOf } from '../../../platform/clickhouse/index.ts';
import type { SqlPart } from '../../../platform/clickhouse/index.ts';
import type { Tenant } from '../../../platform/http/index.ts';
import type { WithView } from '../../views/index.ts';
import { decodeListCursor, encodeListCursor, listName } from '../list-cursor.ts';
import type { ListPosition } from '../list-cursor.ts';
import { sourceOf } from '../partly-expired.ts';
import type { SummarySource } from '../partly-expired.ts';
import { timeRange } from '../time-range.ts';
import { conditionsOf } from '../trace-filters.ts';
import { readersFor } from '../traces-context.ts';
import type { TracesContext } from '../traces-context.ts';
import { behind, isPositionId, orderBy, positionColumns, positionOf, userOrders } from './user-order.ts';
import type { UserOrder } from './user-order.ts';
import { toUser, userColumns, userSums } from './user-row.ts';
import type { OutcomeSums, ScoreSums, UserRow } from './user-row.ts';
import { anyUser, ofUsers, outcomesOfUsersSql, scoresOfUsersSql, tracesOfUsers } from './user-traces.ts';
import type { UserTraces } from './user-traces.ts';

type Reading = Pick<TracesContext, 'clickhouse' | 'clock'>;

/**
 * One page of the users of the application, with the figures of those of their traces that a list of traces with this range and filter has
 * (docs/semantics.md, "Users").
 *
 * Errors: `invalid_request` for an invalid range and for the cursor of another list, `invalid_filter`.
 */
export async function listUsers(
  context: Reading,
  tenant: Tenant,
  query: WithView<ListUsersQuery>,
): Promise<{ users: ApplicationUser[]; nextCursor: string | null }> {
  const { limit, cursor, sort, q, range, from, to, filter, viewFilter } = query;
  const nowMs = context.clock.now();
  const conditions = conditionsOf({}, query, nowMs);
  const order = userOrders[sort];
  const name = listName([tenant.projectId, 'users', sort, q, range, from, to, filter, viewFilter]);
  const after = decodeListCursor(cursor, name, order.isValue, isPositionId);
  const traces = { range: timeRange(query, nowMs), conditions, ofUser: q === undefined ? anyUser : named(q) };
  const source = await sourceOf(readersFor(context, tenant), traces.range.fromNs);
  const { text, parameters } = usersSql(traces, order, after, limit + 1, source.partlyExpired);
  const rows = await source.reader.query<UserRow & { value: string; tie: string }>(text, parameters);
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  const users = await withTold(source, traces, page);
  return { users, nextCursor: last ? encodeListCursor(name, positionOf(last)) : null };
}

function named(q: string): SqlPart {
  return allOf([anyUser, { text: 'positionCaseInsensitiveUTF8(user_id, {q:String}) > 0', parameters: { q } }]);
}

/** SQL of one page of users with the sums of their traces. */
export function usersSql(
  traces: UserTraces,
  order: UserOrder,
  after: ListPosition | null,
  limit: number,
  partlyExpired: SummarySource['partlyExpired'],
): SqlPart {
  const from = tracesOfUsers(traces, userColumns, partlyExpired);
  const having = after === null ? null : behind(order, after);
  return {
    text: `SELECT user_id, ${userSums},
  ${positionColumns(order)}
FROM ${from.text}
GROUP BY user_id${having === null ? '' : `\nHAVING ${having.text}`}
${orderBy(order)}
LIMIT ${limit}`,
    parameters: { ...from.parameters, ...having?.parameters },
  };
}

/** Users with what scores and outcomes say of their traces. */
export async function withTold(
  { reader, partlyExpired }: SummarySource,
  traces: UserTraces,
  rows: readonly UserRow[],
): Promise<ApplicationUser[]> {
  if (rows.length === 0) return [];
  const ofThese = { ...traces, ofUser: ofUsers(rows.map((row) => row.user_id)) };
  const read = <T>({ text, parameters }: SqlPart) => reader.query<T & { user_id: string }>(text, parameters);
  const [scores, outcomes] = await Promise.all([
    read<ScoreSums>(scoresOfUsersSql(ofThese, partlyExpired)),
    read<OutcomeSums>(outcomesOfUsersSql(ofThese, partlyExpired)),
  ]);
  const scoresOf = new Map(scores.map((row) => [row.user_id, row]));
  const outcomesOf = new Map(outcomes.map((row) => [row.user_id, row]));
  return rows.map((row) => toUser(row, scoresOf.get(row.user_id), outcomesOf.get(row.user_id)));
}
