import { z } from 'zod';
import { dayMs } from '../../contract/durations.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { ErrorDetail } from '../../contract/errors.ts';
import type { FieldTerm, Filter } from '../../contract/filter/ast.ts';
import { readFieldName, readListFilter } from '../../contract/filter/read-filter.ts';
import { autoInterval, bucketsOf, maxMetricBuckets } from '../../contract/metrics/intervals.ts';
import type { MetricBuckets } from '../../contract/metrics/intervals.ts';
import { findMeasure, measuresOf, metricSubjects } from '../../contract/metrics/measures.ts';
import type { Aggregation, Measure, MetricSubject } from '../../contract/metrics/measures.ts';
import { isTimePart } from '../../contract/metrics/time-parts.ts';
import type { TimePart } from '../../contract/metrics/time-parts.ts';
import { maxCells, metricQuery } from '../../contract/metrics/query.ts';
import type { MetricQuery } from '../../contract/metrics/query.ts';
import { nearName } from '../../contract/nearest-name.ts';
import { retentionCutoff } from '../../contract/plans.ts';
import type { Plan } from '../../contract/plans.ts';
import { validationMessage } from '../../platform/http/validation-message.ts';
import { timeRangeOf } from '../../contract/time-range.ts';
import { isGroupable } from '../traces/index.ts';
import type { ReadField } from '../traces/index.ts';

/** What the rows of a query are grouped by. */
export type Dimension = { name: string; part: TimePart } | { name: string; part: null; field: ReadField };

/** A window of time, epoch milliseconds; `beforeMs` is exclusive. */
export interface MetricWindow {
  fromMs: number;
  beforeMs: number;
}

/** A query that was checked. */
export interface ReadQuery extends MetricWindow {
  on: MetricSubject;
  measures: ReadonlyArray<{ measure: Measure; aggregation: Aggregation | null }>;
  dimensions: readonly Dimension[];
  filter: Filter | null;
  /** null: one row for each group. */
  buckets: MetricBuckets | null;
  previous: MetricWindow | null;
  order: { by: 'measure' | 'dimension'; index: number; isAscending: boolean };
  limit: number;
  bins: number;
}

/** The error of a query that cannot be read. @param path into the query, a JSON pointer */
export function invalidQuery(path: string, message: string, more: Partial<ErrorDetail> = {}): ServiceError {
  return new ServiceError('invalid_query', sentenceOf(path, message), { details: [{ path, message, ...more }] });
}

function sentenceOf(path: string, message: string): string {
  return `The query cannot be answered: ${path === '' ? 'it' : path} ${message}${/[.?]$/.test(message) ? '' : '.'}`;
}

/**
 * Checks a query as it was sent.
 *
 * Errors: `invalid_query` with the path of what is wrong.
 */
export function checkQuery(sent: unknown): MetricQuery {
  const checked = metricQuery.safeParse(sent, { error: validationMessage });
  if (checked.success) return checked.data;
  const details = checked.error.issues.map(detailOf);
  const [{ path, message }] = details as [ErrorDetail];
  throw new ServiceError('invalid_query', sentenceOf(path, message), { details });
}

function detailOf(issue: z.core.$ZodIssue): ErrorDetail {
  const keys = issue.code === 'unrecognized_keys' ? [...issue.path, issue.keys[0] ?? ''] : issue.path;
  return {
    path: keys.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join(''),
    message: issue.message,
  };
}

/**
 * Reads a query that was checked: its measures, dimensions and times.
 *
 * @param written as it was sent; `viewFilter` is the filter of its view
 * Errors: `invalid_query`, `invalid_filter`.
 */
export function readQuery(written: MetricQuery & { viewFilter?: string }, plan: Plan, nowMs: number): ReadQuery {
  const { on, limit, bins } = written;
  const measures = written.measures.map(({ measure: name, aggregation }, index) => readMeasure(on, name, aggregation, index));
  const dimensions = written.by.map((name, index) => readDimension(on, name, index, nowMs));
  for (const [index, { name }] of dimensions.entries()) {
    if (dimensions.findIndex((other) => other.name === name) < index) throw invalidQuery(`/by/${index}`, 'is given twice');
  }
  const filter = readListFilter(written, on === 'traces' ? 'traces' : 'spans', nowMs);
  const window = readWindow(written, plan, nowMs);
  const { fromMs, beforeMs } = window;
  const interval = written.interval === 'auto' ? autoInterval(fromMs, beforeMs) : written.interval;
  const buckets = interval === undefined ? null : bucketsOf(interval, fromMs, beforeMs);
  if (buckets !== null && buckets.count > maxMetricBuckets)
    throw invalidQuery('/interval', `gives ${buckets.count} intervals; ask for at most ${maxMetricBuckets}`);
  if (buckets !== null && dimensions.length > 0 && buckets.count * limit > maxCells)
    throw invalidQuery(
      '/limit',
      `times ${buckets.count} intervals is above ${maxCells}; ask for fewer groups or longer intervals`,
    );
  return {
    on,
    measures,
    dimensions,
    filter,
    ...window,
    buckets,
    previous: readPrevious(written.compareWith, window),
    order: readOrder(written, dimensions),
    limit,
    bins,
  };
}

function readMeasure(on: MetricSubject, name: string, given: Aggregation | undefined, index: number) {
  const measure = findMeasure(on, name);
  if (measure === undefined) {
    const others = metricSubjects.filter((other) => findMeasure(other, name) !== undefined);
    if (others.length > 0)
      throw invalidQuery(`/measures/${index}/measure`, `is a measure of ${others.join(' and ')}, not of ${on}`);
    const suggestion = nearName(
      name,
      measuresOf[on].map((one) => one.name),
    );
    const meant = suggestion === undefined ? '' : `; did you mean ${suggestion}?`;
    throw invalidQuery(
      `/measures/${index}/measure`,
      `is no measure of ${on}${meant}`,
      suggestion === undefined ? {} : { suggestion },
    );
  }
  const { aggregations } = measure;
  if (given !== undefined && !aggregations.includes(given)) {
    const choice = aggregations.length === 0 ? `cannot be chosen for ${name}` : `must be one of ${aggregations.join(', ')}`;
    throw invalidQuery(`/measures/${index}/aggregation`, choice);
  }
  return { measure, aggregation: given ?? aggregations[0] ?? null };
}

function readDimension(on: MetricSubject, name: string, index: number, nowMs: number): Dimension {
  if (/^\w+\.$/.test(name)) throw invalidQuery(`/by/${index}`, `needs a key, such as ${name}tenant`);
  if (isTimePart(name)) return { name, part: name };
  let term: FieldTerm | null;
  try {
    term = readFieldName(name, on === 'traces' ? 'traces' : 'spans', nowMs);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const suggestion = error.details?.[0]?.suggestion;
    const meant = suggestion === undefined ? '' : `; did you mean ${suggestion}?`;
    throw invalidQuery(`/by/${index}`, `is no field${meant}`, suggestion === undefined ? {} : { suggestion });
  }
  if (term !== null && isGroupable(term.field, on)) return { name, part: null, field: term };
  throw invalidQuery(`/by/${index}`, 'cannot be grouped by; use a field whose values are texts, such as model');
}

/** The window of a query, cut at the retention edge. Without `to` it ends with today. */
function readWindow({ range, from, to }: MetricQuery, plan: Plan, nowMs: number): MetricWindow {
  let read: ReturnType<typeof timeRangeOf>;
  try {
    read = timeRangeOf({ range, from, to }, nowMs);
  } catch (error) {
    const detail = error instanceof ServiceError ? error.details?.[0] : undefined;
    throw detail === undefined ? error : invalidQuery(detail.path, detail.message);
  }
  const todayEndsMs = Math.floor(nowMs / dayMs) * dayMs + dayMs;
  const isCountedInDays = range === undefined || range.endsWith('d');
  const endMs = to === undefined ? (isCountedInDays ? todayEndsMs : nowMs) : Date.parse(to);
  const fromMs = Math.max(read.fromMs, retentionCutoff(plan, nowMs));
  if (endMs <= read.fromMs) throw invalidQuery('/from', 'must be before to');
  // Later records are not accepted.
  return { fromMs, beforeMs: Math.max(fromMs, Math.min(endMs, todayEndsMs + 2 * dayMs)) };
}

function readPrevious(compareWith: MetricQuery['compareWith'], { fromMs, beforeMs }: MetricWindow): MetricWindow | null {
  if (compareWith === undefined) return null;
  if (compareWith === 'previous') return { fromMs: fromMs - (beforeMs - fromMs), beforeMs: fromMs };
  const previous = { fromMs: Date.parse(compareWith.from), beforeMs: Date.parse(compareWith.to) };
  if (previous.fromMs >= previous.beforeMs) throw invalidQuery('/compareWith/from', 'must be before to');
  return previous;
}

function readOrder({ orderBy, measures }: MetricQuery, dimensions: readonly Dimension[]): ReadQuery['order'] {
  if (orderBy === undefined) return { by: 'measure', index: 0, isAscending: false };
  const isAscending = orderBy.direction === 'asc';
  if (typeof orderBy.measure === 'number') {
    if (orderBy.measure >= measures.length)
      throw invalidQuery('/orderBy/measure', `must be below ${measures.length}, the number of measures`);
    return { by: 'measure', index: orderBy.measure, isAscending };
  }
  const index = dimensions.findIndex(({ name }) => name === orderBy.measure);
  if (index === -1) throw invalidQuery('/orderBy/measure', 'must be the index of a measure, or a dimension of by');
  return { by: 'dimension', index, isAscending };
}
