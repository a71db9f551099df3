import type { ScoreGrouping } from '../../contract/scores.ts';

/** Most evaluators, labels of an evaluator, and groups of an evaluator in an answer. */
export const maxEvaluators = 100;
const maxLabels = 50;
const maxGroups = 100;
/** Parts of a distribution of numbers. */
export const bins = 10;

/** The scores of a range, of the evaluators `{evaluators:Array(String)}` alone unless `ofAll`. */
function scored(ofAll = false): string {
  return `scores FINAL
  WHERE start_time >= fromUnixTimestamp64Milli({from:Int64}, 'UTC') AND start_time < fromUnixTimestamp64Milli({before:Int64}, 'UTC')${
    ofAll ? '' : ' AND evaluator IN {evaluators:Array(String)}'
  }`;
}

const has = 'NOT isNaN(score)';
const figures = `count() AS scores, countIf(${has}) AS numbers, avgIf(score, ${has}) AS mean, countIf(passed = 1) AS passes, countIf(passed = 0) AS fails`;

/** Figures of each evaluator. `deviation` has n - 1. @param ofAll whether of every evaluator, the first by name */
export function evaluatorsSql(ofAll: boolean): string {
  return `SELECT evaluator, ${figures}, minIf(score, ${has}) AS lowest, maxIf(score, ${has}) AS highest, sqrt(varSampStableIf(score, ${has})) AS deviation
FROM ${scored(ofAll)}
GROUP BY evaluator
ORDER BY evaluator
LIMIT ${maxEvaluators + 1}`;
}

/** How many scores are in each part from the lowest score of their evaluator to the highest, which is in the last. */
export const binsSql = `SELECT evaluator, if(highest = lowest, 0, toUInt8(least(${bins - 1}, floor((score - lowest) / (highest - lowest) * ${bins})))) AS bin, count() AS scores
FROM (
  SELECT evaluator, score, min(score) OVER (PARTITION BY evaluator) AS lowest, max(score) OVER (PARTITION BY evaluator) AS highest
  FROM (SELECT evaluator, score FROM ${scored()} AND ${has})
)
GROUP BY evaluator, bin
ORDER BY evaluator, bin`;

/** The most frequent labels of scores without a number. */
export const labelsSql = `SELECT evaluator, label, count() AS scores
FROM ${scored()} AND isNaN(score)
GROUP BY evaluator, label
ORDER BY evaluator, scores DESC, label
LIMIT ${maxLabels} BY evaluator`;

export const daysSql = `SELECT evaluator, toString(toDate(start_time, 'UTC')) AS day, ${figures}
FROM ${scored()}
GROUP BY evaluator, day
ORDER BY evaluator, day
LIMIT 100000`;

/** The group of a call; `''` for none. */
const ofCall = {
  model: 'model',
  agent: 'agent_name',
  promptVersion: `if(prompt_name = '', '', concat(prompt_name, '#', prompt_version))`,
} as const;

/**
 * Figures of each group. A scored span is of the group of its call, or its own release; a scored trace of what all its calls have in common. A score's own
 * model goes first.
 */
export function groupsSql(by: ScoreGrouping): string {
  const grouped =
    by === 'author'
      ? `SELECT evaluator, score, passed, if(source IN ('api', 'annotation'), JSONExtractString(metadata, 'recordedBy', 'name'), '') AS value
  FROM ${scored()}`
      : joined(by);
  return `SELECT evaluator, value, ${figures}
FROM (
  ${grouped}
)
GROUP BY evaluator, value
ORDER BY evaluator, scores DESC, value
LIMIT ${maxGroups} BY evaluator`;
}

/** Scores and the groups of their targets are one list, grouped by target: a trace's has no span. */
function joined(by: Exclude<ScoreGrouping, 'author'>): string {
  const traces = `trace_id IN (SELECT trace_id FROM ${scored()})`;
  const none = `[] AS given`;
  const [spans, whole] =
    by === 'release'
      ? [
          `SELECT trace_id, span_id, toString(release) AS value, ${none} FROM spans FINAL WHERE ${traces} AND span_id != ''`,
          `SELECT trace_id, '' AS span_id, toString(release) AS value, ${none} FROM traces FINAL WHERE ${traces}`,
        ]
      : [
          `SELECT trace_id, span_id, toString(${ofCall[by]}) AS value, ${none} FROM calls FINAL WHERE ${traces}`,
          `SELECT trace_id, '' AS span_id, if(uniqExactIf(value, value != '') = 1, anyIf(value, value != ''), '') AS value, ${none}
      FROM (SELECT trace_id, toString(${ofCall[by]}) AS value FROM calls FINAL WHERE ${traces}) GROUP BY trace_id`,
        ];
  const own = by === 'model' ? 'toString(model)' : `''`;
  return `SELECT member.1 AS evaluator, member.2 AS score, member.3 AS passed, if(member.4 != '', member.4, target) AS value
  FROM (
    SELECT arrayJoin(groupArrayArray(given)) AS member, max(value) AS target
    FROM (
      SELECT trace_id, span_id, '' AS value, [(toString(evaluator), score, passed, ${own})] AS given FROM ${scored()}
      UNION ALL ${spans}
      UNION ALL ${whole}
    )
    GROUP BY trace_id, span_id
  )`;
}
