/** What a query is of (docs/metrics.md). */
export const metricSubjects = ['calls', 'spans', 'traces'] as const;
export type MetricSubject = (typeof metricSubjects)[number];

export const percentiles = { p50: 0.5, p75: 0.75, p90: 0.9, p95: 0.95, p99: 0.99 } as const;
export type PercentileName = keyof typeof percentiles;

export const aggregations = ['sum', 'avg', 'min', 'max', 'p50', 'p75', 'p90', 'p95', 'p99', 'histogram'] as const;
export type Aggregation = (typeof aggregations)[number];

export type MetricUnit = 'count' | 'usd' | 'ms' | 'ratio' | 'tokens' | 'score' | null;

export interface Measure {
  name: string;
  description: string;
  unit: MetricUnit;
  /** Those that it can be asked with; the first is the default. Empty for one that has no choice. */
  aggregations: readonly Aggregation[];
}

const measure = (name: string, unit: MetricUnit, description: string, choices: readonly Aggregation[] = []): Measure => ({
  name,
  unit,
  description,
  aggregations: choices,
});

const ofNumbers = ['avg', 'min', 'max', 'p50', 'p75', 'p90', 'p95', 'p99', 'histogram'] as const;
const ofTotals = ['sum', 'avg', 'p50', 'p75', 'p90', 'p95', 'p99'] as const;

const counted = (what: string): readonly Measure[] => [
  measure('count', 'count', `number of ${what}`),
  measure('errors', 'count', `those that failed`),
  measure('errorRate', 'ratio', 'errors / count'),
];

const timed: readonly Measure[] = [
  measure('latency', 'ms', 'from start to end, of those that have ended', ofNumbers),
  measure('ttft', 'ms', 'time to the first token', ofNumbers),
  measure('tokensPerSecond', null, 'output tokens a second, from the first token, else from the start', ofNumbers),
];

const distinct = (...names: ReadonlyArray<'users' | 'sessions' | 'traces' | 'models' | 'agents'>): Measure[] =>
  names.map((name) => measure(name, 'count', `distinct ${name}`));

/** The measures of each subject. The first is the default. */
export const measuresOf: Readonly<Record<MetricSubject, readonly Measure[]>> = {
  calls: [
    ...counted('calls'),
    measure('cost', 'usd', 'sum of the costs'),
    measure('costPerCall', 'usd', 'cost / count'),
    measure('costPerSuccess', 'usd', 'cost / calls without error'),
    measure('unpriced', 'count', 'calls whose cost is not known, or known in part'),
    measure('inputTokens', 'tokens', 'input tokens, cached ones included'),
    measure('outputTokens', 'tokens', 'output tokens, those of reasoning included'),
    measure('cachedTokens', 'tokens', 'input tokens that were read from a cache'),
    measure('cacheWriteTokens', 'tokens', 'input tokens that were written to a cache'),
    measure('reasoningTokens', 'tokens', 'output tokens of reasoning'),
    measure('tokens', 'tokens', 'input and output tokens'),
    measure('cacheHitRate', 'ratio', 'cached / input tokens'),
    ...timed,
    ...distinct('users', 'sessions', 'traces', 'models', 'agents'),
  ],
  spans: [...counted('spans'), ...timed, ...distinct('users', 'sessions', 'traces', 'models', 'agents')],
  traces: [
    ...counted('traces'),
    measure('cost', 'usd', 'cost of the calls', ofTotals),
    measure('spans', 'count', 'number of spans', ofTotals),
    measure('calls', 'count', 'number of calls', ofTotals),
    measure('tokens', 'tokens', 'input and output tokens of the calls', ofTotals),
    measure('latency', 'ms', 'from the first start to the last end', ofNumbers),
    ...distinct('users', 'sessions'),
  ],
};

/** The measure of a subject with this name; undefined for none. */
export function findMeasure(on: MetricSubject, name: string): Measure | undefined {
  return measuresOf[on].find((one) => one.name === name);
}

/** The name of the column of a measure: with its aggregation where there is a choice. */
export function columnName(name: string, aggregation: Aggregation | null): string {
  return aggregation === null ? name : `${name}.${aggregation}`;
}
