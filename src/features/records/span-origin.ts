import { madeSources, simulationMark } from '../../contract/kinds.ts';
import type { MadeSource } from '../../contract/kinds.ts';

/** What a span was made for: the work of an application, or one of the sources that lists and figures leave out. */
export type SpanOrigin = 'application' | MadeSource;

interface Marks {
  /** `''` of spans that earlier releases stored: their agent, environment and tag tell. */
  origin: SpanOrigin | '';
  agentName: string;
  environment: string;
  tags: readonly string[];
}

/** What a span says that it was made for (docs/semantics/traces.md, "Source of a span"). */
export function originOf({ origin, agentName, environment, tags }: Marks): SpanOrigin {
  if (origin !== '') return origin;
  const isMarked = environment === simulationMark && agentName === simulationMark && tags.includes(simulationMark);
  return isMarked ? 'simulation' : 'application';
}

/**
 * What a span was made for, as its trace tells: the spans of an evaluation's trace are all of it, since libraries record some that do not say so. The target of a simulation sends spans of its
 * own into the trace of an item, which count as any other.
 *
 * @param ofTrace what the trace was made for
 */
export function originIn(span: Marks, ofTrace: SpanOrigin): SpanOrigin {
  const own = originOf(span);
  return own === 'application' && ofTrace === 'evaluation' ? ofTrace : own;
}

const made = madeSources.map((source) => `'${source}'`).join(', ');
const isMarked = (agents: string) => `environment = '${simulationMark}' AND ${agents} AND has(tags, '${simulationMark}')`;
const isMarkedSpan = isMarked(`agent_name = '${simulationMark}'`);

/** {@link originOf} as an expression of ClickHouse over `spans`. */
export const originSql = `multiIf(origin != '', toString(origin), ${isMarkedSpan}, '${simulationMark}', 'application')`;

/** SQL of whether a row of `spans` or `traces` says that lists leave it out; of rows of earlier releases it does not tell. */
export const isSaidMadeSql = `origin IN (${made})`;

/** SQL of whether lists leave out a row of `spans`, as it says itself. */
export const isMadeSql = `(${isSaidMadeSql} OR (origin = '' AND ${isMarkedSpan}))`;

const isMarkedTrace = isMarked(`has(agents, '${simulationMark}')`);

/** SQL of whether a row of `traces` is the summary of a trace that lists leave out. */
export const isMadeTraceSql = `(${isSaidMadeSql} OR (origin = '' AND ${isMarkedTrace}))`;

/** SQL of whether a row of `traces` is the summary of a trace of a simulation. */
export const isSimulatedTraceSql = `(origin = '${simulationMark}' OR (origin = '' AND ${isMarkedTrace}))`;
