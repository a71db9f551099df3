import { graphSums, sealedRollups, summed } from './rollup-sql.ts';
import { roundedDuration } from './rounded-duration.ts';

/**
 * What one row of `node_calls` counts for: (source, target, calls, cost, unpriced, partly_priced). Its node; the edge from its caller; its provider and prompt, and the edges
 * to them; and the cost of its agent.
 */
const counted = `arrayConcat(
      [('', toString(node), 1, cost, unpriced, partly_priced)],
      if(caller != '' AND caller != node, [(toString(caller), toString(node), 1, 0.0, toUInt32(0), toUInt32(0))], []),
      if(provider != '', [('', concat('provider:', provider), 1, cost, unpriced, partly_priced), (toString(node), concat('provider:', provider), 1, 0.0, toUInt32(0), toUInt32(0))], []),
      if(prompt_name != '', [('', concat('prompt:', prompt_name), 1, cost, unpriced, partly_priced)], []),
      if(prompt_name != '' AND caller != '', [(toString(caller), concat('prompt:', prompt_name), 1, 0.0, toUInt32(0), toUInt32(0))], []),
      if(agent_name != '', [('', concat('agent:', agent_name), 0, cost, unpriced, partly_priced)], []))`;

/**
 * SELECT of the rollup rows of `node_calls` by hour: the same text fills `graph_hours` when an hour is sealed and stands in for it while the hour is
 * dirty. A row with 0 calls has the cost of an agent whose own spans belong to other hours.
 *
 * @param where condition on rows of `node_calls`
 */
export function graphRollups(where: string): string {
  return `SELECT hour, environment, source, target, sum(calls_of) AS calls, sum(finished_of) AS finished, sum(errors_of) AS errors, sum(unpriced_of) AS unpriced,
    sum(partly_priced_of) AS partly_priced, sumKahan(cost_of) AS cost,
    arraySort(groupArrayIf(duration, finished_of > 0)) AS durations,
    arrayMap(pair -> pair.2, arraySort(groupArrayIf((duration, finished_of), finished_of > 0))) AS duration_counts
  FROM (
    SELECT hour, environment, part.1 AS source, part.2 AS target, duration, sum(part.3) AS calls_of, sum(part.3 * is_finished) AS finished_of,
      sum(part.3 * is_error) AS errors_of, sumKahan(part.4) AS cost_of, sum(part.5) AS unpriced_of, sum(part.6) AS partly_priced_of
    FROM (
      SELECT hour, environment, error AS is_error, finished AS is_finished, ${roundedDuration('duration_ms')} AS duration,
      arrayJoin(${counted}) AS part
      FROM node_calls FINAL
      WHERE ${where}
    )
    GROUP BY hour, environment, source, target, duration
  )
  GROUP BY hour, environment, source, target`;
}

/** SELECT of the rollup rows of days from those of their sealed hours. */
export const graphDays = `SELECT toDateTime(toStartOfDay(part.hour)) AS hour, part.environment AS environment, part.source AS source, part.target AS target,
    ${summed(graphSums, 'part')}, sumMap(part.durations, part.duration_counts).1 AS durations, sumMap(part.durations, part.duration_counts).2 AS duration_counts
  FROM (SELECT * FROM graph_hours WHERE ${sealedRollups}) AS part
  GROUP BY hour, environment, source, target`;
