import { ServiceError } from '../../contract/errors.ts';
import type { Score, Session, TraceSummary } from '../../contract/traces.ts';
import type { Tenant } from '../../platform/http/index.ts';
import { scoresOfSession } from './scores.ts';
import { sessionColumns, toSession } from './session-row.ts';
import type { SessionRow } from './session-row.ts';
import { summaryColumns, toSummary } from './trace-summary.ts';
import type { SummaryRow } from './trace-summary.ts';
import { readerFor } from './traces-context.ts';
import type { TracesContext } from './traces-context.ts';

/** Maximum traces of one response, the earliest first. The list of traces, filtered by session, has all of them. */
const maxTraces = 1000;

export const sessionSql = `SELECT ${sessionColumns}
FROM traces FINAL
WHERE session_id = {session:String}
GROUP BY session_id`;

export const sessionTracesSql = `SELECT ${summaryColumns}
FROM traces FINAL
WHERE session_id = {session:String}
ORDER BY start_time, trace_id
LIMIT ${maxTraces + 1}`;

interface SessionDetail {
  session: Session;
  traces: TraceSummary[];
  scores: Score[];
  truncated?: true;
}

/**
 * One session with its retained traces in time order, and its own scores (docs/semantics.md, "Sessions").
 *
 * Errors: `not_found` when it has no traces.
 */
export async function getSession(context: TracesContext, tenant: Tenant, sessionId: string): Promise<SessionDetail> {
  const reader = readerFor(context, tenant);
  const parameters = { session: sessionId };
  const [sessions, traces, { scores, truncated }] = await Promise.all([
    sessionId === '' ? [] : reader.query<SessionRow>(sessionSql, parameters),
    reader.query<SummaryRow>(sessionTracesSql, parameters),
    scoresOfSession(reader, sessionId),
  ]);
  const row = sessions[0];
  if (!row) {
    throw new ServiceError(
      'not_found',
      'There is no such session in this project; check its id, or list the sessions that there are.',
    );
  }
  const cut = truncated || traces.length > maxTraces;
  return {
    session: toSession(row),
    traces: traces.slice(0, maxTraces).map(toSummary),
    scores,
    ...(cut ? { truncated: true as const } : {}),
  };
}
