import { simulationMark } from '../../contract/kinds.ts';
import type { ListTracesQuery } from '../../contract/traces.ts';
import type { SqlPart } from '../../platform/clickhouse/index.ts';
import type { ListFilter } from '../../contract/filter/read-filter.ts';
import { readTraceFilter } from './filter/read-filter.ts';
import { isMadeTraceSql, isSimulatedTraceSql } from '../records/index.ts';
import type { TraceFilter } from './filter/trace-filter.ts';
import { memberCondition, membersOf } from './member-filters.ts';
import type { Member, MemberFilters } from './member-filters.ts';
import type { TimeRange } from './time-range.ts';

/** The filters on the summary of a trace; `q` and the filters of `member-filters.ts` need its spans and scores. */
export type TraceFilters = Pick<
  ListTracesQuery,
  | 'traceId'
  | 'model'
  | 'agent'
  | 'session'
  | 'user'
  | 'environment'
  | 'release'
  | 'name'
  | 'status'
  | 'tag'
  | 'minLatency'
  | 'minCost'
  | 'simulated'
>;

/** The conditions of a list's parameters, which must all hold. */
export interface TraceConditions extends TraceFilter {
  /** Rows of scores and spans that `ofMembers` asks for, and by which traces may be looked up. */
  members: readonly Member[];
}

/**
 * The conditions of the parameters of a list and of its filter (docs/filter.md).
 *
 * @param written the filters as they were sent
 * Errors: `invalid_filter`.
 */
export function conditionsOf(filters: TraceFilters & MemberFilters, written: ListFilter, nowMs: number): TraceConditions {
  const filter = readTraceFilter(written, nowMs);
  const members = membersOf(filters);
  return {
    ofSummary: [...filter.ofSummary, ...summaryConditions(filters, filter.asksForSource)],
    ofMembers: [...members.map((member) => (among: SqlPart | null) => memberCondition(member, among)), ...filter.ofMembers],
    members,
    texts: filter.texts,
    requiredTexts: filter.requiredTexts,
    asksForSource: filter.asksForSource,
  };
}

/** The condition that a trace started in a range. */
export function startedIn({ fromNs, beforeNs }: TimeRange): SqlPart {
  return {
    text: 'start_time >= fromUnixTimestamp64Nano({from:Int64}) AND start_time < fromUnixTimestamp64Nano({before:Int64})',
    parameters: { from: String(fromNs), before: String(beforeNs) },
  };
}

/** The columns of filters that one of several values matches. */
const columns = {
  traceId: 'trace_id',
  session: 'session_id',
  user: 'user_id',
  environment: 'environment',
  release: 'release',
  name: 'name',
} as const;
const lists = { model: 'models', agent: 'agents', tag: 'tags' } as const;
const keysOf = <T extends object>(object: T) => Object.keys(object) as Array<keyof T & string>;

/**
 * The conditions of the given filters. A trace that only prepares a run is left out unless its name is asked for, one of a simulation, the playground or an evaluation
 * unless its source, its id or the marks of simulations are.
 */
export function summaryConditions(filters: TraceFilters, asksForSource: boolean): SqlPart[] {
  const { status, minLatency, minCost } = filters;
  const isAsked =
    asksForSource ||
    filters.traceId !== undefined ||
    [filters.agent, filters.environment, filters.tag].some((values) => values?.includes(simulationMark));
  const parts: SqlPart[] = [];
  const add = (text: string, parameters: SqlPart['parameters']) => parts.push({ text, parameters });
  for (const name of keysOf(lists)) {
    const values = filters[name];
    if (values !== undefined) add(`hasAny(${lists[name]}, {${name}:Array(String)})`, { [name]: values });
  }
  for (const name of keysOf(columns)) {
    const values = filters[name];
    if (values !== undefined) add(`${columns[name]} IN {${name}:Array(String)}`, { [name]: values });
  }
  if (filters.name === undefined) add('is_setup = 0', {});
  if (status !== undefined) add('error = {error:UInt8}', { error: Number(status === 'error') });
  if (minLatency !== undefined) add('duration_ms >= {minLatency:Float64}', { minLatency });
  if (minCost !== undefined) add('cost >= {minCost:Float64}', { minCost });
  const ofSource = sourceCondition(filters.simulated, isAsked);
  if (ofSource !== null) add(ofSource, {});
  return parts;
}

/** The condition on what traces were made for; null without one. @param isAsked whether the source, the trace or the marks of simulations are asked for */
function sourceCondition(simulated: TraceFilters['simulated'], isAsked: boolean): string | null {
  if (simulated === 'true') return isSimulatedTraceSql;
  if (isAsked) return simulated === 'false' ? `NOT ${isSimulatedTraceSql}` : null;
  return simulated === 'any' ? `(${isSimulatedTraceSql} OR NOT ${isMadeTraceSql})` : `NOT ${isMadeTraceSql}`;
}
