import { indented } from '../../platform/clickhouse/index.ts';
import type { SqlPart } from '../../platform/clickhouse/index.ts';
import type { FilterSubject } from '../../contract/filter/fields.ts';

/** What the rows of a list are named by. */
export const idsOf: Readonly<Record<FilterSubject, string>> = { spans: 'trace_id, span_id', traces: 'trace_id' };

/**
 * A SELECT of the number of each span or trace by one evaluator, as column `figure` (docs/filter.md): of a span its latest score, of a trace its own latest one, else the
 * latest of its spans. The evaluator is bound as `sortedBy`.
 *
 * @param among the traces that are read; null for all
 */
export function latestScores(on: FilterSubject, evaluator: string, among: SqlPart | null = null): SqlPart {
  const latest = on === 'spans' ? '(start_time, score_id)' : "(span_id = '', start_time, score_id)";
  const narrowed = among === null ? '' : `\n  AND trace_id GLOBAL IN (${indented(among.text, 4)})`;
  return {
    text: `SELECT ${idsOf[on]}, toNullable(argMax(score, ${latest})) AS figure
FROM scores FINAL
WHERE evaluator = {sortedBy:String} AND NOT isNaN(score)${narrowed}
GROUP BY ${idsOf[on]}`,
    parameters: { ...among?.parameters, sortedBy: evaluator },
  };
}

/** A join of spans or traces with {@link latestScores}. */
export function joinedScores(on: FilterSubject, evaluator: string): SqlPart {
  const { text, parameters } = latestScores(on, evaluator);
  return { text: `\nGLOBAL ANY LEFT JOIN (\n  ${indented(text, 2)}\n) AS latest USING (${idsOf[on]})`, parameters };
}

/** The evaluator whose score a `sort` names; null for another sort. */
export function evaluatorOf(sort: string): string | null {
  return /^-?score\.(.+)$/s.exec(sort)?.[1] ?? null;
}
