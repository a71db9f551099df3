import { alertTypes } from '../../../contract/alert-types/index.ts';
import type { SqlPart } from '../../../platform/clickhouse/index.ts';
import type { Condition } from '../condition.ts';
import { sourceOf } from './source-sql.ts';
import { hourMs } from '../../../contract/durations.ts';

/** Scopes of a preview's step. */
const maxScopesOfStep = 200;
/** Relative error of a preview's percentiles, which are merged from sketches of each hour. */
const sketchError = 0.004;

const isMean = ({ figure }: Condition) => figure.of === 'scores' || (figure.of === 'calls' && figure.aggregate === 'mean');

/** Scopes with enough data first, the worst of them first. */
function worstFirst({ type }: Condition): string {
  return `n_sum >= {minCount:UInt64} DESC, value ${alertTypes[type].fires === 'below' ? 'ASC' : 'DESC'}, scope`;
}

/**
 * The figures of the scopes of a rule in windows that end every hour before `toMs`: `step`, the number of hours before it, `scope`, `n_sum` and `value`; of
 * each window the worst first, at most 200. Percentiles are within 0.4 %. Not of arrivals.
 *
 * @param steps how many windows
 */
export function stepsSql(condition: Condition, toMs: number, steps: number): SqlPart {
  const { text, parameters } = sourceOf(condition, toMs);
  const { figure, windowMs } = condition;
  const hours = Math.max(1, windowMs / hourMs);
  const offset = 'toUInt64({beforeMs:Int64} - 1 - toUnixTimestamp64Milli(start_time))';
  const bucket = `intDiv(${offset}, ${hourMs})`;
  const parts = windowMs < hourMs ? `WHERE ${offset} - ${bucket} * ${hourMs} <= ${windowMs}` : '';
  // A bucket belongs to the windows that end up to `hours - 1` hours after it; its latest millisecond also begins the next window, whose ends are both included.
  const after = Array.from({ length: hours }, (_, hour) => hour).join(', ');
  const begins = windowMs < hourMs ? '0' : `${offset} % ${hourMs} = 0`;
  const isPercentile = figure.of === 'calls' && figure.aggregate === 'p95';
  const x = isPercentile ? `quantileDDState(${sketchError}, 0.95)(x)` : 'sumKahan(x)';
  const mean = isMean(condition) ? ' / sum(n_of)' : '';
  const value = isPercentile ? `quantileDDMerge(${sketchError}, 0.95)(x_of)` : `sumKahan(x_of)${mean}`;
  return {
    text: `SELECT step, scope, toFloat64(sum(n_of)) AS n_sum, toFloat64(${value}) AS value
FROM (
  SELECT toInt64(bucket) - arrayJoin(if(begins, [${after}, ${hours}], [${after}])) AS step, scope, n_of, x_of
  FROM (
    SELECT scope, ${bucket} AS bucket, ${begins} AS begins, sum(n) AS n_of, ${x} AS x_of
    FROM (
      ${text}
    )
    ${parts}
    GROUP BY scope, bucket, begins
  )
)
WHERE step >= 0 AND step < ${steps}
GROUP BY step, scope
HAVING n_sum > 0
ORDER BY step, ${worstFirst(condition)}
LIMIT ${maxScopesOfStep} BY step`,
    parameters: {
      ...parameters,
      fromMs: toMs - (steps - 1) * hourMs - windowMs,
      beforeMs: toMs + 1,
      minCount: condition.minCount ?? 1,
    },
  };
}
