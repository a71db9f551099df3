import { ServiceError } from '../../contract/errors.ts';
import type { Score, Session, TraceSummary } from '../../contract/traces.ts';
import type { SqlPart } from '../../platform/clickhouse/index.ts';
import type { Tenant } from '../../platform/http/index.ts';
import { retainedSummaries, sourceOf } from './partly-expired.ts';
import type { SummarySource } from './partly-expired.ts';
import { scoresOfSession } from './scores.ts';
import { sessionColumns, summedColumns, toSession } from './session-row.ts';
import type { SessionRow } from './session-row.ts';
import { storedSummaryColumns, summaryColumns, toSummary } from './trace-summary.ts';
import type { SummaryRow } from './trace-summary.ts';
import { readersFor } from './traces-context.ts';
import type { TracesContext } from './traces-context.ts';

/** Maximum traces of one response, the earliest first. The list of traces, filtered by session, has all of them. */
const maxTraces = 1000;

/** SQL of a session. */
export function sessionSql(partlyExpired: SummarySource['partlyExpired']): SqlPart {
  const { text, parameters } = retainedSummaries(ofSession, summedColumns, partlyExpired);
  return { text: `SELECT ${sessionColumns}\nFROM ${text}\nGROUP BY session_id`, parameters };
}

/** SQL of the traces of a session. */
export function sessionTracesSql(partlyExpired: SummarySource['partlyExpired']): SqlPart {
  const { text, parameters } = retainedSummaries(ofSession, storedSummaryColumns, partlyExpired);
  return {
    text: `SELECT ${summaryColumns}\nFROM ${text}\nORDER BY start_time, trace_id\nLIMIT ${maxTraces + 1}`,
    parameters,
  };
}

const ofSession: SqlPart = { text: 'session_id = {session:String}', parameters: {} };

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
  const readers = readersFor(context, tenant);
  const { reader, partlyExpired } = await sourceOf(readers, 0n);
  const read = <T>({ text, parameters }: SqlPart) => reader.query<T>(text, { ...parameters, session: sessionId });
  const [sessions, traces, { scores, truncated }] = await Promise.all([
    sessionId === '' ? [] : read<SessionRow>(sessionSql(partlyExpired)),
    read<SummaryRow>(sessionTracesSql(partlyExpired)),
    scoresOfSession(readers.whole, sessionId),
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
