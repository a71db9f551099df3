import { roundedDuration } from '../../models/index.ts';
import { typeRules } from '../alert-types.ts';
import type { Condition } from '../condition.ts';
import { maxScopes } from '../evaluate-scopes.ts';
import { columnsOf, columnsOfAll, hitsOf, hitsOfCalls, isOfCall, matchesAny, sinceParameters, withinSql } from './rule-hits.ts';
import type { ReadRule } from './rule-hits.ts';
import { checksOf, hours, inWindow, oneEvaluator, scoresWithCalls, shareOfScale } from './source-sql.ts';
import type { SqlPart } from './source-sql.ts';

/** What one statement reads for all rules of a project that need it. */
type SharedRead = 'calls' | 'durations' | 'scores' | 'scores of calls' | 'checks';

const reads: Readonly<Record<SharedRead, (rules: readonly ReadRule[]) => string>> = {
  calls: callsSql,
  durations: durationsSql,
  scores: scoresSql,
  'scores of calls': scoresOfCallsSql,
  checks: checksSql,
};

/** Names the statement that reads the figures of a rule together with those of others; null: `ingest-stopped` reads none. */
export function sharedRead(condition: Condition): SharedRead | null {
  const { type } = condition;
  if (type === 'latency') return 'durations';
  if (type === 'guardrail') return 'checks';
  if (type === 'quality') return columnsOf(condition).some(isOfCall) ? 'scores of calls' : 'scores';
  return type === 'ingest-stopped' ? null : 'calls';
}

/**
 * The figures of the scopes of rules in their windows, which end at `nowMs`, in one statement: `rule`, the number of the rule from 1, `scope`, `n_sum` and
 * `value`; of each rule the worst first, at most 50.
 *
 * @param rules at least one and at most 200, with the same {@link sharedRead}, which is not null
 */
export function sharedWindowsSql(rules: readonly ReadRule[], nowMs: number): SqlPart {
  const conditions = rules.map(({ condition }) => condition);
  const [read] = conditions.map(sharedRead);
  if (!read) throw new Error('these rules have no figures to read');
  const numbers = (matches: (condition: Condition) => boolean) =>
    conditions.flatMap((condition, index) => (matches(condition) ? [index + 1] : []));
  const lowestFirst = conditions.some(({ type }) => typeRules[type].worse(0, 1));
  return {
    sql: `${reads[read](rules)}
GROUP BY rule, scope
HAVING n_sum > 0
ORDER BY rule, has({kept:Array(Array(String))}[rule], scope) DESC, n_sum >= {minCounts:Array(UInt64)}[rule] DESC, value ${lowestFirst ? 'ASC' : 'DESC'}, scope
LIMIT ${maxScopes} BY rule`,
    parameters: {
      ...Object.assign({}, ...conditions.map(namesOf)),
      ...sinceParameters(rules, nowMs),
      fromMs: nowMs - Math.max(...conditions.map(({ windowMs }) => windowMs)),
      beforeMs: nowMs + 1,
      rates: numbers(({ type }) => type === 'error-rate'),
      own: numbers(({ filter }) => oneEvaluator(filter)),
      kept: rules.map(({ kept }) => [...kept]),
      minCounts: conditions.map(({ minCount }) => minCount ?? 1),
    },
  };
}

/** The names that a rule asks for, by parameter. */
function namesOf({ filter, environment }: Condition, index: number): Record<string, unknown> {
  const named = Object.entries(filter).map(([field, names]) => [`${field}${index}`, names]);
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

function callsSql(rules: readonly ReadRule[]): string {
  return `SELECT rule, scope, toFloat64(sum(n)) AS n_sum, if(has({rates:Array(UInt8)}, rule), sum(errors) / sum(n), sumKahan(spent)) AS value
FROM (
  ${hitsOfSums(rules, { n: 'count()', errors: 'sum(error)', spent: 'sumKahan(cost)' })}
)`;
}

/**
 * The 95th percentile of every scope. Durations are counted by their rounded value, so that memory does not grow with the number of calls. The longest of
 * those that are rounded alike stands for them: an actual duration, at most 0.8 % above the one at the rank.
 */
function durationsSql(rules: readonly ReadRule[]): string {
  const sums = { longest_of: 'max(duration_ms)', calls_of: 'count()' };
  return `WITH arraySort(groupArray((longest, n))) AS pairs, arrayCumSum(pairs.2) AS ranks
SELECT rule, scope, toFloat64(sum(n)) AS n_sum, (pairs.1)[arrayFirstIndex(held -> held > floor(0.95 * (ranks[-1] - 1)), ranks)] AS value
FROM (
  SELECT rule, scope, max(longest_of) AS longest, sum(calls_of) AS n
  FROM (
    ${hitsOfSums(rules, sums, roundedDuration('duration_ms'), ' AND finished = 1')}
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
    'checks, flagged, redacted, blocked, guardrails, guardrail_checks, guardrail_flagged, guardrail_redacted, guardrail_blocked';
  const further = ({ filter }: Condition, index: number) => {
    const { ran, triggered } = checksOf(filter, `guardrails${index}`);
    return `, toFloat64(${ran}), toFloat64(${triggered})`;
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
