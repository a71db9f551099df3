import type { Aggregation, Measure, MetricSubject, MetricUnit, PercentileName } from '../../contract/metrics/measures.ts';
import { columnName, percentiles } from '../../contract/metrics/measures.ts';
import type { MetricValue } from '../../contract/metrics/query.ts';
import type { Ends } from '../../platform/statistics/index.ts';
import { exact, meanInterval, percentileSql, ratio, wilsonInterval } from '../../platform/statistics/index.ts';
import { roundedDuration } from '../figures/index.ts';

/** What the engine answers for the aggregates of a measure, in their order. */
export type Found = ReadonlyArray<number | number[] | null>;

/** The edges of the bins of a histogram: of all records, so that those of every row are the same. */
export interface Edges {
  min: number;
  max: number;
}

/** A measure of a query, as SQL. */
export interface PlannedMeasure {
  column: string;
  unit: MetricUnit;
  /** The columns of a record that it reads: names of `figureColumns`. */
  figures: readonly string[];
  /** SQL of what is summed up over records. */
  aggregates: readonly string[];
  /** The same over rollup rows; null where they do not tell it. */
  ofRollups: readonly string[] | null;
  /** They read the durations or the traces of `model_hour_sketches`, whose arrays are most of what rollups hold. */
  ofSketches?: true;
  /** SQL of what is read of each group; by default the aggregates themselves. @param names of the aggregates */
  read?(names: readonly string[]): string[];
  /** SQL of the value, for the order of groups. @param names of what is read */
  order(names: readonly string[]): string;
  value(found: Found, n: number): MetricValue;
  /** The 95 % interval; null where there is none. */
  interval?(found: Found, n: number): Ends | null;
  /** SQL of the column of a histogram. */
  binned?: string;
}

type Plan = Omit<PlannedMeasure, 'column' | 'unit'>;

const first = (found: Found): number | null => (typeof found[0] === 'number' ? found[0] : null);
const numberAt = (found: Found, index: number): number => (typeof found[index] === 'number' ? found[index] : 0);

/**
 * SQL of a sum of fractions with 15 significant digits, the precision of `exact`: threads add up in any order, which shows in the digits below.
 */
function settled(sum: string): string {
  const unit = `exp10(floor(log10(abs(${sum}))) - 14)`;
  return `if(${sum} = 0, 0, round(${sum} / ${unit}) * ${unit})`;
}

/** A sum. @param ofRollups the column of `model_hours`; null where it has none */
function sumOf(column: string, ofRollups: string | null, isFraction = false): Plan {
  const sum = isFraction ? 'sumKahan' : 'sum';
  return {
    figures: [column],
    aggregates: [`${sum}(${column})`],
    ofRollups: ofRollups === null ? null : [`${sum}(${ofRollups})`],
    ...(isFraction ? { read: ([name = '']: readonly string[]) => [settled(name)] } : {}),
    // Rounded, so that the order of summation does not decide between equal sums.
    order: ([name]) => (isFraction ? `round(${name}, 12)` : (name ?? '')),
    value: (found) => exact(first(found) ?? 0),
  };
}

/** A sum divided by another, or by the number of records. @param rest what is subtracted of the divisor */
function quotient(part: Plan, whole: Plan | 'n', rest: Plan | null = null): Plan {
  const plans = [part, ...(whole === 'n' ? [] : [whole]), ...(rest === null ? [] : [rest])];
  const restAt = whole === 'n' ? 1 : 2;
  const divisor = (found: Found, n: number) =>
    (whole === 'n' ? n : numberAt(found, 1)) - (rest === null ? 0 : numberAt(found, restAt));
  const rollups = plans.map(({ ofRollups }) => ofRollups);
  return {
    figures: plans.flatMap(({ figures }) => figures),
    aggregates: plans.flatMap(({ aggregates }) => aggregates),
    ofRollups: rollups.every((one) => one !== null) ? rollups.flat() : null,
    read: (names) => names.flatMap((name, index) => plans[index]?.read?.([name]) ?? name),
    order: (names) =>
      `if(${divisorSql(names, whole, rest, restAt)} = 0, NULL, ${names[0]} / ${divisorSql(names, whole, rest, restAt)})`,
    value: (found, n) => ratio(numberAt(found, 0), divisor(found, n), null),
  };
}

function divisorSql(names: readonly string[], whole: Plan | 'n', rest: Plan | null, restAt: number): string {
  const divisor = whole === 'n' ? 'toInt64(n)' : `toFloat64(${names[1]})`;
  return rest === null ? divisor : `(${divisor} - ${names[restAt]})`;
}

/** The share of records with a mark, with the interval of Wilson. */
function shareOf(marked: Plan): Plan {
  return {
    ...quotient(marked, 'n'),
    interval: (found, n) => (n === 0 ? null : wilsonInterval({ hits: numberAt(found, 0), total: n })),
  };
}

/** The rollups that tell an average: its sum and its number. */
const averages: Readonly<Record<string, readonly [string, string]>> = {
  latency: ['duration_sum', 'finished'],
  ttft: ['ttft_sum', 'ttft_count'],
};

function averageOf(column: string, isOfCalls: boolean): Plan {
  const rolled = isOfCalls ? averages[column] : undefined;
  return {
    figures: [column],
    aggregates: [`sumKahan(ifNull(${column}, 0))`, `count(${column})`, `varSampStable(toFloat64(${column}))`],
    // The rollups have no squares: without an interval.
    ofRollups: rolled === undefined ? null : [`sumKahan(${rolled[0]})`, `sum(${rolled[1]})`, 'NULL'],
    read: ([sum = '', count = '', variance = '']) => [settled(sum), count, variance === 'NULL' ? variance : settled(variance)],
    order: ([sum, count]) => `if(${count} = 0, NULL, ${sum} / ${count})`,
    value: (found) => ratio(numberAt(found, 0), numberAt(found, 1), null),
    interval: (found) => {
      const [count, variance] = [numberAt(found, 1), found[2]];
      if (typeof variance !== 'number' || count < 2) return null;
      return meanInterval({ mean: numberAt(found, 0) / count, variance, count });
    },
  };
}

function extremeOf(column: string, name: 'min' | 'max'): Plan {
  return {
    figures: [column],
    aggregates: [`${name}(toFloat64(${column}))`],
    ofRollups: null,
    order: ([found]) => found ?? '',
    value: (found, n) => (n === 0 ? null : first(found)),
  };
}

/** A percentile of values that are rounded as those of the model pages (docs/semantics.md, "Percentiles"). */
function percentileOf(column: string, name: PercentileName, isOfCalls: boolean): Plan {
  return {
    figures: [column],
    aggregates: [`sumMapIf([${roundedDuration(`toFloat64(ifNull(${column}, 0))`)}], [toUInt64(1)], isNotNull(${column}))`],
    ofRollups: isOfCalls && column === 'latency' ? ['sumMap(durations, duration_counts)'] : null,
    ofSketches: true,
    read: ([counted]) => {
      const values = `(${counted}).1`;
      return [`if(empty(${values}), NULL, ${percentileSql({ values, upTo: `arrayCumSum((${counted}).2)` }, percentiles[name])})`];
    },
    order: ([found]) => found ?? '',
    value: first,
  };
}

/** Equally wide bins from the lowest to the highest value of all records. The edges are bound as `{min...}` and `{width...}` of the column. */
function histogramOf(column: string, edges: Edges | null, bins: number): Plan {
  const width = edges === null ? 0 : (edges.max - edges.min) / bins;
  const bin =
    width === 0
      ? '0'
      : `least(toUInt32((toFloat64(ifNull(${column}, ${edges?.min ?? 0})) - ${edges?.min ?? 0}) / ${width}), ${bins - 1})`;
  return {
    figures: [column],
    aggregates: [`sumMapIf([toUInt32(${bin})], [toUInt64(1)], isNotNull(${column}))`],
    ofRollups: null,
    read: ([counted]) => [`(${counted}).1`, `(${counted}).2`],
    order: () => 'n',
    binned: column,
    value: (found) => {
      const [indexes, counts] = [found[0], found[1]];
      if (edges === null || !Array.isArray(indexes) || !Array.isArray(counts)) return null;
      const countOf = new Map(indexes.map((index, at) => [index, counts[at] ?? 0]));
      const edge = (index: number) => (index === bins ? edges.max : edges.min + index * width);
      const shown = width === 0 ? 1 : bins;
      return {
        bins: Array.from({ length: shown }, (_, index) => ({
          from: edge(index),
          to: width === 0 ? edges.max : edge(index + 1),
          count: countOf.get(index) ?? 0,
        })),
      };
    },
  };
}

function distinctOf(column: string, ofRollups: string | null): Plan {
  return {
    figures: [column],
    aggregates: [`uniqExactIf(sipHash64(${column}), ${column} != '')`],
    ofRollups: ofRollups === null ? null : [ofRollups],
    order: ([found]) => found ?? '',
    value: (found) => first(found) ?? 0,
  };
}

const failed = sumOf('failed', 'errors');
const cost = sumOf('cost', 'cost', true);
const input = sumOf('input_tokens', 'input_tokens');
const cached = sumOf('cached_tokens', 'cached_tokens');
const count: Plan = { figures: [], aggregates: [], ofRollups: [], order: () => 'n', value: (_found, n) => n };
const tokens: Plan = {
  ...sumOf('input_tokens', null),
  figures: ['input_tokens', 'output_tokens'],
  aggregates: ['sum(input_tokens + output_tokens)'],
  ofRollups: ['sum(input_tokens) + sum(output_tokens)'],
};

/** The measures without a choice of aggregation. */
const plain: Readonly<Record<string, Plan>> = {
  count,
  errors: failed,
  errorRate: shareOf(failed),
  cost,
  costPerCall: quotient(cost, 'n'),
  costPerSuccess: quotient(cost, 'n', failed),
  unpriced: {
    ...sumOf('unpriced', null),
    aggregates: ['countIf(unpriced > 0)'],
    ofRollups: ['sum(unpriced) + sum(partly_priced)'],
  },
  inputTokens: input,
  outputTokens: sumOf('output_tokens', 'output_tokens'),
  cachedTokens: cached,
  cacheWriteTokens: sumOf('written_tokens', null),
  reasoningTokens: sumOf('reasoning_tokens', 'reasoning_tokens'),
  tokens,
  cacheHitRate: quotient(cached, input),
  users: distinctOf('user', null),
  sessions: distinctOf('session', null),
  traces: { ...distinctOf('trace', 'uniqExactArray(traces)'), ofSketches: true },
  models: distinctOf('model', 'uniqExactIf(sipHash64(model), n_of > 0)'),
  agents: distinctOf('agent', null),
};

/** The columns of figures that are read with a choice of aggregation. */
const columnOf: Readonly<Record<string, string>> = { tokensPerSecond: 'speed' };

/** What a histogram of a measure needs: the edges, which are read before. */
export interface HistogramOptions {
  bins: number;
  edges: Edges | null;
}

/** The SQL of a measure. @param aggregation one of the measure's, null where it has none */
export function planMeasure(
  on: MetricSubject,
  { name, unit }: Measure,
  aggregation: Aggregation | null,
  { bins, edges }: HistogramOptions,
): PlannedMeasure {
  const plan = planOf(on, name, aggregation, bins, edges);
  return { ...plan, column: columnName(name, aggregation), unit: aggregation === 'histogram' ? 'count' : unit };
}

function planOf(on: MetricSubject, name: string, aggregation: Aggregation | null, bins: number, edges: Edges | null): Plan {
  const column = columnOf[name] ?? name;
  switch (aggregation) {
    case null:
      return plain[name] ?? count;
    case 'sum':
      return sumOf(column, null, name === 'cost');
    case 'avg':
      return averageOf(column, on === 'calls');
    case 'min':
    case 'max':
      return extremeOf(column, aggregation);
    case 'histogram':
      return histogramOf(column, edges, bins);
    default:
      return percentileOf(column, aggregation, on === 'calls');
  }
}
