import type { AlertFigure } from '../../../contract/alert-types/alert-type.ts';
import type { AlertFilter } from '../../../contract/alerts.ts';
import type { SqlPart } from '../../../platform/clickhouse/index.ts';
import type { Condition } from '../condition.ts';
import { callsMeeting, expressionOf, hours, inWindow } from './calls-meeting.ts';

export const columnOf = { model: 'model', agent: 'agent_name', environment: 'environment' } as const;
export const nameColumns = { models: 'model', agents: 'agent_name', operations: 'operation', evaluators: 'evaluator' } as const;
type NameFilter = keyof typeof nameColumns;

/** Conditions of a filter on some columns. */
function named(filter: AlertFilter, fields: readonly NameFilter[]): string[] {
  return fields
    .filter((field) => filter[field] !== undefined)
    .map((field) => `${nameColumns[field]} IN {${field}:Array(String)}`);
}

const and = (conditions: readonly string[]) => conditions.map((condition) => ` AND ${condition}`).join('');

/**
 * What a rule counts between `{fromMs:Int64}` and `{beforeMs:Int64}` (exclusive): rows of `scope`, `trace_id`, `start_time`, `n` (how many calls, scores or checks)
 * and `x` (the value of a call, a score or triggered checks). Not of arrivals.
 *
 * @param nowMs see {@link callsMeeting}
 */
export function sourceOf(condition: Condition, nowMs: number, { traces = false } = {}): SqlPart {
  const { figure, filter, environment } = condition;
  const { expression: _expression, ...names } = filter;
  const parameters = { ...names, ...(environment === null ? {} : { environment }) };
  if (figure.of === 'checks') return { text: checksSource(condition), parameters };
  if (figure.of === 'scores') return { text: scoresSource(condition, traces), parameters };
  if (figure.of === 'calls') {
    const met = callsMeeting(condition, nowMs);
    return { text: callsSource(condition, figure, met.text), parameters: { ...parameters, ...met.parameters } };
  }
  throw new Error('arrivals are not counted');
}

/** A figure of calls. */
export type CallFigure = Extract<AlertFigure, { of: 'calls' }>;

/** The condition on the calls that a figure counts; `''` for all. */
export function countedCalls({ where, unnamed = false }: CallFigure): string {
  return [...(unnamed ? [] : ["model != ''"]), ...(where === undefined ? [] : [`(${where})`])].join(' AND ');
}

function callsSource(condition: Condition, figure: CallFigure, met: string): string {
  const { filter, environment, groupBy } = condition;
  const conditions = named(filter, ['models', 'agents', 'operations']);
  if (environment !== null) conditions.push('environment = {environment:String}');
  if (groupBy !== null) conditions.push(`${columnOf[groupBy]} != ''`);
  const counted = countedCalls(figure);
  if (counted !== '') conditions.push(counted);
  if (expressionOf(condition) !== undefined) conditions.push(met);
  const scope = groupBy === null ? `''` : `toString(${columnOf[groupBy]})`;
  return `SELECT ${scope} AS scope, trace_id, start_time, 1 AS n, toFloat64(${figure.value}) AS x
  FROM calls FINAL
  WHERE ${hours} AND ${inWindow}${and(conditions)}`;
}

/** Whether the mean of a rule is that of one evaluator's scores as they were given, and not of the shares of their scales of scores that measure quality. */
export const oneEvaluator = ({ evaluators }: AlertFilter): boolean => new Set(evaluators).size === 1;

export const shareOfScale = '(score - scale_min) / (scale_max - scale_min)';

function scoresSource(condition: Condition, traces: boolean): string {
  const { filter, environment, groupBy } = condition;
  const own = oneEvaluator(filter);
  const measure = own ? 'score' : shareOfScale;
  const conditions = [...(own ? [] : ['is_quality = 1']), ...named(filter, ['models', 'evaluators'])];
  if (groupBy === 'model') conditions.push(`model != ''`);
  const where = `${hours} AND ${inWindow}${and(conditions)}`;
  const ofCalls = environment !== null || filter.agents !== undefined || filter.operations !== undefined;
  if (!ofCalls && (groupBy === null || groupBy === 'model')) {
    const scope = groupBy === null ? `''` : 'toString(model)';
    return `SELECT ${scope} AS scope, trace_id, start_time, 1 AS n, toFloat64(${measure}) AS x
  FROM quality FINAL
  WHERE ${where}`;
  }
  return scoresOfCalls(condition, measure, where, traces);
}

function scoresOfCalls({ filter, environment, groupBy }: Condition, measure: string, where: string, traces: boolean): string {
  const matching = named(filter, ['agents', 'operations']);
  if (environment !== null) matching.push('environment = {environment:String}');
  const byCall = groupBy === 'agent' || groupBy === 'environment';
  if (byCall) matching.push(`${columnOf[groupBy]} != ''`);
  const { sql, of } = scoresWithCalls({
    scores: where,
    fields: {
      ...(groupBy === 'model' ? { own_scope: { sql: 'toString(model)', blank: `''` } } : {}),
      ...(traces ? { traced: { sql: 'trace_id', blank: `''` } } : {}),
      scored_at: { sql: 'start_time', blank: 'toDateTime64(0, 3)' },
      measured: { sql: `toFloat64(${measure})`, blank: 'toFloat64(0)' },
    },
    call: { sql: byCall ? `toString(${columnOf[groupBy]})` : `''`, blank: `''` },
    matching: matching.join(' AND '),
  });
  const ownScope = groupBy === 'model' ? of('own_scope') : 'arrayJoin(called)';
  return `SELECT ${ownScope} AS scope, ${traces ? of('traced') : `''`} AS trace_id, ${of('scored_at')} AS start_time, 1 AS n, ${of('measured')} AS x
  FROM (
  ${sql}
  )
  WHERE notEmpty(called)`;
}

/** Scores and what to read of their calls. */
interface ScoresWithCalls {
  /** Condition on `quality`. */
  scores: string;
  /** What to read of a score, and a value of the same type. */
  fields: Readonly<Record<string, { sql: string; blank: string }>>;
  /** What to read of a call. */
  call: { sql: string; blank: string };
  /** Condition on calls: others are only known to be calls. */
  matching: string;
}

/**
 * SELECT of scores with the matching calls that they count by: a score of a call that call, another one every call of its trace. A row has `called`, what was
 * read of those calls, each value once, and the fields of the score (`of`). Both tables are grouped by the hash of the trace, which takes half of the time and
 * memory of a join.
 */
export function scoresWithCalls({ scores, fields, call, matching }: ScoresWithCalls): { sql: string; of(field: string): string } {
  const names = Object.keys(fields);
  const score = (text: (field: { sql: string; blank: string }) => string) => Object.values(fields).map(text).join(', ');
  return {
    of: (field) => `score_of.${names.indexOf(field) + 2}`,
    sql: `SELECT arrayJoin(scores_of) AS score_of,
    arrayDistinct(if(has(call_spans, score_of.1), arrayFilter((_, span) -> span = score_of.1, calls_of, matching_spans), calls_of)) AS called
  FROM (
    SELECT groupArrayIf(span, is_call = 1) AS call_spans, groupArrayIf(span, matches = 1) AS matching_spans, groupArrayIf(read, matches = 1) AS calls_of,
      groupArrayIf(scored, is_call = 0) AS scores_of
    FROM (
      SELECT sipHash64(trace_id) AS trace, sipHash64(span_id) AS span, toUInt8(1) AS is_call, toUInt8(${matching}) AS matches, ${call.sql} AS read,
        tuple(toUInt64(0), ${score(({ blank }) => blank)}) AS scored
      FROM calls FINAL
      WHERE hour GLOBAL IN (${hoursOf(scores)}) AND model != ''
      UNION ALL
      SELECT sipHash64(trace_id) AS trace, sipHash64(span_id) AS span, toUInt8(0) AS is_call, toUInt8(0) AS matches, ${call.blank} AS read,
        tuple(sipHash64(span_id), ${score(({ sql }) => sql)}) AS scored
      FROM quality FINAL
      WHERE ${scores}
    )
    GROUP BY trace
    HAVING notEmpty(scores_of) AND notEmpty(calls_of)
  )`,
  };
}

/**
 * The hours of the traces of some scores, from the start of the first record to that of the last. `traces` is smaller than `spans`, and those of recent scores
 * are in a few granules. Replaced rows may add hours without a call.
 */
function hoursOf(scores: string): string {
  return `SELECT toDateTime(arrayJoin(range(oldest, newest + 1, 3600))) AS hour
        FROM (
          SELECT DISTINCT toUnixTimestamp(toStartOfHour(oldest_time)) AS oldest, toUnixTimestamp(toStartOfHour(newest_time)) AS newest
          FROM traces
          WHERE trace_id GLOBAL IN (SELECT trace_id FROM quality WHERE ${scores})
        )`;
}

/**
 * Of a row of `guardrail_activity` how many checks, or results of named guardrails, there were, and how many triggered, or failed.
 *
 * @param names parameter with the names of guardrails
 */
export function checksOf(
  { filter: { guardrails }, count }: Pick<Condition, 'filter' | 'count'>,
  names = 'guardrails',
): { ran: string; counted: string } {
  if (guardrails === undefined) return { ran: 'checks', counted: count === 'failed' ? 'failed' : 'flagged + redacted + blocked' };
  const of = (column: string) =>
    `arraySum(arrayMap((slug, results) -> if(has({${names}:Array(String)}, slug), results, 0), guardrails, ${column}))`;
  return {
    ran: of('guardrail_checks'),
    counted:
      count === 'failed'
        ? of('guardrail_failed')
        : `${of('guardrail_flagged')} + ${of('guardrail_redacted')} + ${of('guardrail_blocked')}`,
  };
}

function checksSource(condition: Condition): string {
  const { environment, groupBy } = condition;
  const conditions = environment === null ? [] : ['environment = {environment:String}'];
  if (groupBy !== null) conditions.push(`environment != ''`);
  const { ran, counted } = checksOf(condition);
  const scope = groupBy === null ? `''` : 'toString(environment)';
  return `SELECT ${scope} AS scope, '' AS trace_id, start_time, toFloat64(${ran}) AS n, toFloat64(${counted}) AS x
  FROM guardrail_activity FINAL
  WHERE ${inWindow}${and(conditions)}`;
}
