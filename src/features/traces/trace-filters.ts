import type { ListTracesQuery } from '../../contract/traces.ts';
import type { SqlPart } from './sql-part.ts';
import type { TimeRange } from './time-range.ts';

/** The filters on the summary of a trace; `q` and the filters of `member-filters.ts` need its spans and scores. */
export type TraceFilters = Pick<
  ListTracesQuery,
  'model' | 'agent' | 'session' | 'user' | 'environment' | 'status' | 'tag' | 'minLatency' | 'minCost'
>;

/** The condition that a trace started in a range. */
export function startedIn({ fromNs, beforeNs }: TimeRange): SqlPart {
  return {
    text: 'start_time >= fromUnixTimestamp64Nano({from:Int64}) AND start_time < fromUnixTimestamp64Nano({before:Int64})',
    parameters: { from: String(fromNs), before: String(beforeNs) },
  };
}

/** The conditions of the given filters. */
export function filterConditions(filters: TraceFilters): SqlPart[] {
  const { model, agent, session, user, environment, status, tag, minLatency, minCost } = filters;
  const parts: SqlPart[] = [];
  const add = (text: string, parameters: SqlPart['parameters']) => parts.push({ text, parameters });
  if (model !== undefined) add('has(models, {model:String})', { model });
  if (agent !== undefined) add('has(agents, {agent:String})', { agent });
  if (session !== undefined) add('session_id = {session:String}', { session });
  if (user !== undefined) add('user_id = {user:String}', { user });
  if (environment !== undefined) add('environment = {environment:String}', { environment });
  if (status !== undefined) add('error = {error:UInt8}', { error: Number(status === 'error') });
  if (tag !== undefined) add('has(tags, {tag:String})', { tag });
  if (minLatency !== undefined) add('duration_ms >= {minLatency:Float64}', { minLatency });
  if (minCost !== undefined) add('cost >= {minCost:Float64}', { minCost });
  return parts;
}
