import type { ListSessionsQuery, Session } from '../../contract/traces.ts';
import { simulationMark } from '../../contract/kinds.ts';
import { allOf, indented } from '../../platform/clickhouse/index.ts';
import type { SqlPart } from '../../platform/clickhouse/index.ts';
import type { Tenant } from '../../platform/http/index.ts';
import { isMadeTraceSql } from '../records/index.ts';
import type { WithView } from '../views/index.ts';
import { decodeListCursor, encodeListCursor, isInt64, isUint64, listName } from './list-cursor.ts';
import type { ListPosition } from './list-cursor.ts';
import { readTraceFilter } from './filter/read-filter.ts';
import type { TraceFilter } from './filter/trace-filter.ts';
import { candidateIds, retainedSummaries, sourceOf } from './partly-expired.ts';
import type { SummarySource } from './partly-expired.ts';
import { lastActivity, sessionColumns, sessionTie, summedColumns, toSession } from './session-row.ts';
import type { SessionRow } from './session-row.ts';
import { readingOfAll, searchTexts } from './text-search/text-search.ts';
import type { TextReading } from './filter/text-reading.ts';
import { timeRange } from './time-range.ts';
import type { TimeRange } from './time-range.ts';
import { startedIn } from './trace-filters.ts';
import { readersFor } from './traces-context.ts';
import type { TracesContext } from './traces-context.ts';

export interface SessionFilters extends Pick<ListSessionsQuery, 'user' | 'environment' | 'q'> {
  /** A session has a trace that meets it. */
  filter: TraceFilter;
}

/**
 * One page of a project's sessions, by last activity, descending (docs/semantics.md, "Sessions"). The sums of a session cover all its traces
 * that started in the range, also those that do not match the filters, but for those that lists leave out.
 *
 * Errors: `invalid_request` for an invalid range and for the cursor of another list, `invalid_filter`.
 */
export async function listSessions(
  context: TracesContext,
  tenant: Tenant,
  query: WithView<ListSessionsQuery>,
): Promise<{ sessions: Session[]; nextCursor: string | null }> {
  const { limit, cursor, range, from, to, filter: written, viewFilter, ...filters } = query;
  const nowMs = context.clock.now();
  const filter = readTraceFilter(query, nowMs);
  const name = listName([tenant.projectId, 'sessions', range, from, to, written, viewFilter, filters]);
  const after = decodeListCursor(cursor, name, isInt64, isUint64);
  const chosen = timeRange(query, nowMs);
  const source = await sourceOf(readersFor(context, tenant), chosen.fromNs);
  const search = await searchTexts(context.search, source.reader, tenant.projectId, filter.texts);
  const reading = readingOfAll(search);
  const { text, parameters } = sessionsSql(chosen, { ...filters, filter }, after, limit + 1, source.partlyExpired, reading);
  const rows = await source.reader.query<SessionRow>(text, parameters);
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return {
    sessions: page.map(toSession),
    nextCursor: last ? encodeListCursor(name, { value: last.last_ns, id: last.tie }) : null,
  };
}

/** SQL of one page: a subquery selects its sessions by the sort columns, and only those are aggregated. */
export function sessionsSql(
  range: TimeRange,
  filters: SessionFilters,
  after: ListPosition | null,
  limit: number,
  partlyExpired: SummarySource['partlyExpired'],
  reading: TextReading | null = null,
): SqlPart {
  const isAsked = filters.filter.asksForSource || filters.environment === simulationMark;
  const started = allOf([startedIn(range), ...(isAsked ? [] : [{ text: `NOT ${isMadeTraceSql}`, parameters: {} }])]);
  const conditions = chosenConditions(filters, after);
  const chosen = allOf(conditions);
  const order = `ORDER BY ${lastActivity} DESC, ${sessionTie} DESC`;
  const named = { ...started, text: `${started.text} AND session_id != ''` };
  const withFilter = filteredSessions(named, filters.filter, partlyExpired, reading);
  const candidates = retainedSummaries(
    named,
    'session_id, user_id, environment, start_time, end_time',
    partlyExpired,
    withFilter,
  );
  const ofPage = {
    text: `session_id IN (
    SELECT session_id FROM ${indented(candidates.text, 4)}
    GROUP BY session_id${conditions.length === 0 ? '' : `\n    HAVING ${indented(chosen.text, 4)}`}
    ${order}
    LIMIT ${limit}
  )`,
    parameters: { ...candidates.parameters, ...chosen.parameters },
  };
  const summed = retainedSummaries(started, summedColumns, partlyExpired, [ofPage]);
  return {
    text: `SELECT ${sessionColumns}
FROM ${summed.text}
GROUP BY session_id
${order}`,
    parameters: summed.parameters,
  };
}

/** The condition that a session has a trace that meets the filter; none without a filter. */
function filteredSessions(
  named: SqlPart,
  { ofSummary, ofMembers }: TraceFilter,
  partlyExpired: SummarySource['partlyExpired'],
  reading: TextReading | null,
): SqlPart[] {
  if (ofSummary.length + ofMembers.length === 0) return [];
  const where = allOf([named, ...ofSummary]);
  const among = candidateIds(where, partlyExpired);
  const further = ofMembers.map((condition) => condition(among, reading));
  const matching = retainedSummaries(where, 'trace_id, session_id', partlyExpired, further);
  return [
    {
      text: `session_id IN (\n      SELECT session_id FROM ${indented(matching.text, 6)}\n    )`,
      parameters: matching.parameters,
    },
  ];
}

function chosenConditions({ user, environment, q }: Omit<SessionFilters, 'filter'>, after: ListPosition | null): SqlPart[] {
  const parts: SqlPart[] = [];
  if (user !== undefined) parts.push({ text: 'countIf(user_id = {user:String}) > 0', parameters: { user } });
  if (environment !== undefined) {
    parts.push({ text: 'countIf(environment = {environment:String}) > 0', parameters: { environment } });
  }
  if (q !== undefined) {
    const occurs = (column: string) => `positionCaseInsensitiveUTF8(${column}, {q:String}) > 0`;
    parts.push({ text: `countIf(${occurs('session_id')} OR ${occurs('user_id')}) > 0`, parameters: { q } });
  }
  if (after) {
    parts.push({
      text: `(${lastActivity}, ${sessionTie}) < (fromUnixTimestamp64Nano({afterValue:Int64}), {afterTie:UInt64})`,
      parameters: { afterValue: after.value, afterTie: after.id },
    });
  }
  return parts;
}
