import { alertTypes } from '../../../contract/alert-types/index.ts';
import type { SqlPart } from '../../../platform/clickhouse/index.ts';
import { percentileSql } from '../../../platform/statistics/index.ts';
import { roundedDuration } from '../../figures/index.ts';
import type { Condition } from '../condition.ts';
import { maxScopes } from '../evaluate-scopes.ts';
import { columnsOf, columnsOfAll, hitsOf, hitsOfCalls, isOfCall, matchesAny, sinceParameters, withinSql } from './rule-hits.ts';
import type { ReadRule } from './rule-hits.ts';
import { callsMeeting, expressionOf, hours, inWindow } from './calls-meeting.ts';
import { checksOf, countedCalls, oneEvaluator, scoresWithCalls, shareOfScale } from './source-sql.ts';
import type { CallFigure } from './source-sql.ts';

/** What one statement reads for several rules of a project. */
type Read = 'sums of calls' | 'percentiles of calls' | 'scores' | 'scores of calls' | 'checks';

const reads: Readonly<Record<Read, (rules: readonly ReadRule[], met: string) => string>> = {
  'sums of calls': sumsOfCallsSql,
  'percentiles of calls': percentilesOfCallsSql,
  scores: scoresSql,
  'scores of calls': scoresOfCallsSql,
  checks: checksSql,
};

function readOf(condition: Condition): Read | null {
  const { figure } = condition;
  if (figure.of === 'scores') return columnsOf(condition).some(isOfCall) ? 'scores of calls' : 'scores';
  if (figure.of === 'calls') return figure.aggregate === 'p95' ? 'percentiles of calls' : 'sums of calls';
  return figure.of === 'arrivals' ? null : figure.of;
}

/** Names the statement that reads the figures of a rule together with those of others; null: arrivals are not read. */
export function sharedRead(condition: Condition): string | null {
  const { figure, type } = condition;
  const read = readOf(condition);
  if (figure.of !== 'calls' || read === null) return read;
  // The worst come first: the lowest, or the highest.
  const alike = `${read} ${alertTypes[type].fires === 'below'} ${countedCalls(figure)} ${expressionOf(condition) ?? ''}`;
  // Several sums are read at once, but percentiles of one value.
  return read === 'sums of calls' ? alike : `${alike} ${figure.value}`;
}

/** The figures of some rules, which are all of calls. */
function callFigures(rules: readonly ReadRule[]): CallFigure[] {
  return rules.map(({ condition: { figure } }) => {
    if (figure.of !== 'calls') throw new Error('this figure is not of calls');
    return figure;
  });
}

/** The value of the calls of some rules, which is the same for all, and the condition on them. */
function onlyCallFigure(rules: readonly ReadRule[]): CallFigure {
  const [figure] = callFigures(rules);
  if (!figure) throw new Error('there are no rules');
  return figure;
}

const valuesOf = (rules: readonly ReadRule[]) => [...new Set(callFigures(rules).map(({ value }) => value))];
/** @param met see `callsMeeting`: rules that are read together have the same expression */
const andWhere = (rules: readonly ReadRule[], met: string) =>
  [countedCalls(onlyCallFigure(rules)), ...(rules.some(({ condition }) => expressionOf(condition) !== undefined) ? [met] : [])]
    .filter((condition) => condition !== '')
    .map((condition) => ` AND ${condition}`)
    .join('');

/**
 * The figures of the scopes of rules in their windows, which end at `nowMs`, in one statement: `rule`, the number of the rule from 1, `scope`, `n_sum` and
 * `value`; of each rule the worst first, at most 50.
 *
 * @param rules at least one and at most 200, with the same {@link sharedRead}, which is not null
 */
export function sharedWindowsSql(rules: readonly ReadRule[], nowMs: number): SqlPart {
  const conditions = rules.map(({ condition }) => condition);
  const [read] = conditions.map(readOf);
  if (!read) throw new Error('these rules have no figures to read');
  const numbers = (matches: (condition: Condition) => boolean) =>
    conditions.flatMap((condition, index) => (matches(condition) ? [index + 1] : []));
  const [first] = conditions;
  const met = first && callsMeeting(first, nowMs);
  const lowestFirst = conditions.some(({ type }) => alertTypes[type].fires === 'below');
  return {
    text: `${reads[read](rules, met?.text ?? '')}
GROUP BY rule, scope
HAVING n_sum > 0
ORDER BY rule, has({kept:Array(Array(String))}[rule], scope) DESC, n_sum >= {minCounts:Array(UInt64)}[rule] DESC, value ${lowestFirst ? 'ASC' : 'DESC'}, scope
LIMIT ${maxScopes} BY rule`,
    parameters: {
      ...Object.assign({}, ...conditions.map(namesOf)),
      ...met?.parameters,
      ...sinceParameters(rules, nowMs),
      fromMs: nowMs - Math.max(...conditions.map(({ windowMs }) => windowMs)),
      beforeMs: nowMs + 1,
      ...(read === 'sums of calls' ? sumsParameters(rules) : {}),
      own: numbers(({ filter }) => oneEvaluator(filter)),
      kept: rules.map(({ kept }) => [...kept]),
      minCounts: conditions.map(({ minCount }) => minCount ?? 1),
    },
  };
}

/** The names that a rule asks for, by parameter. */
function namesOf({ filter, environment }: Condition, index: number): Record<string, unknown> {
  const { expression: _expression, ...names } = filter;
  const named = Object.entries(names).map(([field, values]) => [`${field}${index}`, values]);
  return { ...Object.fromEntries(named), ...(environment === null ? {} : { [`environment${index}`]: environment }) };
}

const list = (parts: readonly string[]) => parts.join(', ');

/** Rows of `rule`, `scope` and `names`, from calls that are summed once for all rules. */
function hitsOfSums(rules: readonly ReadRule[], sums: Readonly<Record<string, string>>, rounded = '', where = ''): string {
  const columns = columnsOfAll(rules);
  const names = [...Object.keys(sums), ...(rounded === '' ? [] : ['rounded'])];
  const groups = ['within', ...columns, ...(rounded === '' ? [] : ['rounded'])];
  const selected = [
    `${withinSql(rules)} AS within`,
    ...columns,
    ...(rounded === '' ? [] : [`${rounded} AS rounded`]),
    ...Object.entries(sums).map(([name, sql]) => `${sql} AS ${name}`),
  ];
  return `SELECT ${list(names)}, hit.1 AS rule, hit.2 AS scope
  FROM (
    SELECT ${list(names)}, arrayJoin(${hitsOf(rules)}) AS hit
    FROM (
      SELECT ${list(selected)}
      FROM calls FINAL
      WHERE ${hours} AND ${inWindow}${where}
      GROUP BY ${list(groups)}
    )
  )`;
}

/** Sums and means. Every value that a rule asks for is summed once. */
function sumsOfCallsSql(rules: readonly ReadRule[], met: string): string {
  const values = valuesOf(rules);
  const sums = values.map((value, index) => [`sum${index}`, `sumKahan(toFloat64(${value}))`]);
  const all = values.map((_, index) => `sumKahan(sum${index})`);
  return `SELECT rule, scope, toFloat64(sum(n)) AS n_sum, [${list(all)}][{sumOf:Array(UInt8)}[rule]] / if(has({means:Array(UInt8)}, rule), n_sum, 1) AS value
FROM (
  ${hitsOfSums(rules, { n: 'count()', ...Object.fromEntries(sums) }, '', andWhere(rules, met))}
)`;
}

/** Of each rule which of the sums it takes, and the numbers of those that take the mean. */
function sumsParameters(rules: readonly ReadRule[]): { sumOf: number[]; means: number[] } {
  const values = valuesOf(rules);
  const figures = callFigures(rules);
  return {
    sumOf: figures.map(({ value }) => values.indexOf(value) + 1),
    means: figures.flatMap(({ aggregate }, index) => (aggregate === 'mean' ? [index + 1] : [])),
  };
}

/**
 * The 95th percentile of every scope. Values are counted by what they are rounded to, so that memory does not grow with the number of calls. The greatest of
 * those that are rounded alike stands for them: an actual value, at most 0.8 % above the one at the rank.
 */
function percentilesOfCallsSql(rules: readonly ReadRule[], met: string): string {
  const figure = onlyCallFigure(rules);
  const sums = { greatest_of: `max(${figure.value})`, calls_of: 'count()' };
  return `WITH arraySort(groupArray((greatest, n))) AS pairs, arrayCumSum(pairs.2) AS ranks
SELECT rule, scope, toFloat64(sum(n)) AS n_sum, ${percentileSql({ values: '(pairs.1)', upTo: 'ranks' }, 0.95)} AS value
FROM (
  SELECT rule, scope, max(greatest_of) AS greatest, sum(calls_of) AS n
  FROM (
    ${hitsOfSums(rules, sums, roundedDuration(figure.value), andWhere(rules, met))}
  )
  GROUP BY rule, scope, rounded
)`;
}

/** Sums of scores: as they were given, and as shares of their scales, of those that measure quality. */
const scoreSums = `count() AS n, sumKahan(score) AS points, countIf(is_quality = 1) AS n_shares, sumKahanIf(${shareOfScale}, is_quality = 1) AS shares`;

/** A rule for one evaluator takes the scores as they were given. */
const meanScore = `SELECT hit.1 AS rule, hit.2 AS scope, toFloat64(if(has({own:Array(UInt8)}, rule), sum(n), sum(n_shares))) AS n_sum,
  if(has({own:Array(UInt8)}, rule), sumKahan(points), sumKahan(shares)) / n_sum AS value`;

function scoresSql(rules: readonly ReadRule[]): string {
  const columns = ['within', ...columnsOfAll(rules)];
  return `${meanScore}
FROM (
  SELECT n, points, n_shares, shares, arrayJoin(${hitsOf(rules)}) AS hit
  FROM (
    SELECT ${list([`${withinSql(rules)} AS within`, ...columns.slice(1)])}, ${scoreSums}
    FROM quality FINAL
    WHERE ${hours} AND ${inWindow}
    GROUP BY ${list(columns)}
  )
)`;
}

/** Scores by the calls of their traces, which are read once for all rules. */
function scoresOfCallsSql(rules: readonly ReadRule[]): string {
  const all = columnsOfAll(rules);
  const columns = all.filter((column) => !isOfCall(column));
  const ofCalls = all.filter(isOfCall);
  const { sql, of } = scoresWithCalls({
    scores: `${hours} AND ${inWindow}`,
    fields: {
      within: { sql: withinSql(rules), blank: 'toUInt8(0)' },
      ...Object.fromEntries(columns.map((column) => [column, { sql: `toString(${column})`, blank: `''` }])),
      points: { sql: 'score', blank: 'toFloat64(0)' },
      share: { sql: `if(is_quality = 1, ${shareOfScale}, 0)`, blank: 'toFloat64(0)' },
      is_share: { sql: 'is_quality', blank: 'toUInt8(0)' },
    },
    call: {
      sql: `tuple(${list(ofCalls.map((column) => `toString(${column})`))})`,
      blank: `tuple(${list(ofCalls.map(() => `''`))})`,
    },
    matching: matchesAny(rules),
  });
  return `${meanScore}
FROM (
  SELECT n, points, n_shares, shares, arrayJoin(${hitsOfCalls(rules, ofCalls)}) AS hit
  FROM (
    SELECT ${list(['within', ...columns].map((column) => `${of(column)} AS ${column}`))}, arraySort(called) AS called_of,
      count() AS n, sumKahan(${of('points')}) AS points, sum(${of('is_share')}) AS n_shares, sumKahan(${of('share')}) AS shares
    FROM (
    ${sql}
    )
    GROUP BY ${list(['within', ...columns, 'called_of'])}
  )
)`;
}

function checksSql(rules: readonly ReadRule[]): string {
  const columns = columnsOfAll(rules);
  const counted =
    'checks, flagged, redacted, blocked, failed, guardrails, guardrail_checks, guardrail_flagged, guardrail_redacted, guardrail_blocked, guardrail_failed';
  const further = (condition: Condition, index: number) => {
    const { ran, counted: x } = checksOf(condition, `guardrails${index}`);
    return `, toFloat64(${ran}), toFloat64(${x})`;
  };
  return `SELECT hit.1 AS rule, hit.2 AS scope, sum(hit.3) AS n_sum, sumKahan(hit.4) AS value
FROM (
  SELECT arrayJoin(${hitsOf(rules, further)}) AS hit
  FROM (
    SELECT ${list([`${withinSql(rules)} AS within`, ...columns, counted])}
    FROM guardrail_activity FINAL
    WHERE ${inWindow}
  )
)`;
}
