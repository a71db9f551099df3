import type { MetricSubject } from '../../contract/metrics/measures.ts';
import type { SpanRecord } from '../records/index.ts';

/** What a query is answered with, computed from the spans in JavaScript: the oracle of the SQL. */

/** A trace of the tests: its first span is the root. */
export interface OracleTrace {
  traceId: string;
  spans: readonly SpanRecord[];
}

/** A record of a subject with what figures need of it. */
interface OracleRecord {
  startMs: number;
  values: Readonly<Record<string, number | null>>;
  distinct: Readonly<Record<string, string>>;
  dimensions: Readonly<Record<string, readonly string[]>>;
}

/** What is asked: a part of a query whose window is given. */
export interface OracleQuery {
  on: MetricSubject;
  measures: ReadonlyArray<{ measure: string; aggregation?: string | undefined }>;
  by: readonly string[];
  fromMs: number;
  beforeMs: number;
  /** The start of the interval of a time; undefined without intervals. */
  bucketOf?: ((ms: number) => number) | undefined;
  limit: number;
  keeps: (record: { dimensions: Readonly<Record<string, readonly string[]>> }) => boolean;
}

const isCall = ({ kind, model }: SpanRecord) => (kind === 'llm' || kind === 'embedding') && model !== '';
const durationOf = ({ startNs, endNs }: SpanRecord) => (endNs === null ? null : Math.max(0, Number(endNs - startNs) / 1e6));
const texts = (...values: readonly string[]) => [...new Set(values.filter((value) => value !== ''))];
const metadataOf = ({ metadata }: SpanRecord, key: string): string[] => {
  const value = metadata === '' ? undefined : (JSON.parse(metadata) as Record<string, unknown>)[key];
  return [value].flat().flatMap((one) => (one === undefined || one === null ? [] : [String(one)]));
};

function recordsOf(on: MetricSubject, { spans }: OracleTrace): OracleRecord[] {
  const firstOf = (read: (span: SpanRecord) => string) => spans.map(read).find((text) => text !== '') ?? '';
  const tags = texts(...spans.flatMap((span) => span.tags));
  const root = spans[0] as SpanRecord;
  const inherited = (own: string, read: (span: SpanRecord) => string) => own || firstOf(read);
  if (on === 'traces') {
    const calls = spans.filter(isCall);
    const sum = (read: (span: SpanRecord) => number | null) => calls.reduce((total, call) => total + (read(call) ?? 0), 0);
    const ends = spans.flatMap(({ endNs }) => (endNs === null ? [] : [Number(endNs - root.startNs) / 1e6]));
    return [
      {
        startMs: Number(root.startNs / 1_000_000n),
        values: {
          failed: Number(spans.some(({ status }) => status === 'error')),
          cost: sum(({ costUsd }) => costUsd),
          spans: spans.length,
          calls: calls.length,
          tokens: sum(({ inputTokens }) => inputTokens) + sum(({ outputTokens }) => outputTokens),
          latency: ends.length === 0 ? null : Math.max(...ends),
        },
        distinct: { users: firstOf(({ userId }) => userId), sessions: firstOf(({ sessionId }) => sessionId) },
        dimensions: {
          name: [root.name],
          status: [spans.some(({ status }) => status === 'error') ? 'error' : 'ok'],
          model: texts(...calls.map(({ model }) => model)),
          user: texts(firstOf(({ userId }) => userId)),
          environment: texts(firstOf(({ environment }) => environment)),
          tag: tags,
          'metadata.tenant': texts(...spans.flatMap((span) => metadataOf(span, 'tenant'))),
          tool: texts(...spans.flatMap((span) => (span.kind === 'tool' ? [span.toolName || span.name] : []))),
          ...timeParts(root),
        },
      },
    ];
  }
  return spans
    .filter((span) => on === 'spans' || isCall(span))
    .map((span) => {
      const latency = durationOf(span);
      const generating = latency === null ? 0 : latency - (span.timeToFirstTokenMs ?? 0);
      const output = span.outputTokens ?? 0;
      return {
        startMs: Number(span.startNs / 1_000_000n),
        values: {
          failed: Number(span.status === 'error'),
          cost: span.costUsd ?? 0,
          unpriced: Number(span.costStatus === 'unpriced' || span.costStatus === 'partly_priced'),
          inputTokens: span.inputTokens ?? 0,
          outputTokens: output,
          cachedTokens: span.cachedTokens ?? 0,
          latency,
          ttft: span.timeToFirstTokenMs,
          tokensPerSecond: generating > 0 && output > 0 ? (output * 1000) / generating : null,
        },
        distinct: {
          users: inherited(span.userId, ({ userId }) => userId),
          sessions: inherited(span.sessionId, ({ sessionId }) => sessionId),
          traces: span.traceId,
          models: span.model,
        },
        dimensions: {
          name: texts(span.name),
          status: [span.status === 'error' ? 'error' : 'ok'],
          model: texts(span.model),
          provider: texts(isCall(span) ? span.provider : ''),
          user: texts(inherited(span.userId, ({ userId }) => userId)),
          environment: texts(inherited(span.environment, ({ environment }) => environment)),
          tag: span.tags.length > 0 ? texts(...span.tags) : tags,
          'metadata.tenant': texts(...metadataOf(span, 'tenant')),
          tool: texts(span.kind === 'tool' ? span.toolName || span.name : ''),
          'trace.name': texts(root.name),
          ...timeParts(span),
        },
      };
    });
}

function timeParts({ startNs }: SpanRecord) {
  const date = new Date(Number(startNs / 1_000_000n));
  return { hourOfDay: [date.toISOString().slice(11, 13)], weekday: [String(date.getUTCDay() || 7)] };
}

/** 8 significant bits, half away from zero. */
function rounded(value: number): number {
  if (value === 0) return 0;
  const step = 2 ** (Math.floor(Math.log2(Math.abs(value))) - 7);
  return Math.floor(value / step + 0.5) * step;
}

const quantiles: Readonly<Record<string, number>> = { p50: 0.5, p75: 0.75, p90: 0.9, p95: 0.95, p99: 0.99 };

function figure(records: readonly OracleRecord[], measure: string, aggregation: string | undefined): number | null {
  const all = (name: string) => records.map(({ values }) => values[name] ?? null);
  const sum = (name: string) => all(name).reduce((total: number, value) => total + (value ?? 0), 0);
  const quotient = (part: number, whole: number) => (whole === 0 ? null : part / whole);
  const present = all(measure).filter((value): value is number => value !== null);
  const n = records.length;
  const failed = sum('failed');
  switch (measure) {
    case 'count':
      return n;
    case 'errors':
      return failed;
    case 'errorRate':
      return quotient(failed, n);
    case 'costPerCall':
      return quotient(sum('cost'), n);
    case 'costPerSuccess':
      return quotient(sum('cost'), n - failed);
    case 'cacheHitRate':
      return quotient(sum('cachedTokens'), sum('inputTokens'));
    case 'users':
    case 'sessions':
    case 'models':
      return texts(...records.map(({ distinct }) => distinct[measure] ?? '')).length;
    case 'traces':
      return texts(...records.map(({ distinct }) => distinct['traces'] ?? '')).length;
    default:
      break;
  }
  if (aggregation === undefined || aggregation === 'sum')
    return measure === 'tokens' && records.every(({ values }) => values['tokens'] === undefined)
      ? sum('inputTokens') + sum('outputTokens')
      : sum(measure);
  if (present.length === 0) return null;
  if (aggregation === 'avg')
    return quotient(
      present.reduce((total, value) => total + value, 0),
      present.length,
    );
  if (aggregation === 'min') return Math.min(...present);
  if (aggregation === 'max') return Math.max(...present);
  const sorted = present.map(rounded).toSorted((left, right) => left - right);
  return sorted[Math.floor((quantiles[aggregation] ?? 0) * (sorted.length - 1))] ?? null;
}

const compare = (left: string, right: string) =>
  left === right ? 0 : left === '' ? 1 : right === '' ? -1 : left < right ? -1 : 1;

/** The answer to a query over traces as they are stored. */
export function answerOf(traces: readonly OracleTrace[], query: OracleQuery) {
  const { on, measures, by, fromMs, beforeMs, bucketOf, limit, keeps } = query;
  const records = traces
    .flatMap((trace) => recordsOf(on, trace))
    .filter((record) => record.startMs >= fromMs && record.startMs < beforeMs && keeps(record));
  const keysOf = ({ dimensions }: OracleRecord): string[] =>
    by
      .map((name) => (dimensions[name]?.length ? dimensions[name] : ['']))
      .reduce<string[][]>((keys, values) => keys.flatMap((key) => values.map((value) => [...key, value])), [[]])
      .map((key) => JSON.stringify(key));
  const valuesOf = (some: readonly OracleRecord[]) =>
    measures.map(({ measure, aggregation }) => figure(some, measure, aggregation));
  const groups = new Map<string, OracleRecord[]>();
  for (const record of records) for (const key of keysOf(record)) groups.set(key, [...(groups.get(key) ?? []), record]);
  const [first] = measures;
  const rank = new Map(
    [...groups].map(([key, some]) => [key, figure(some, first?.measure ?? 'count', first?.aggregation)] as const),
  );
  const ordered = [...groups.keys()].toSorted((left, right) => {
    const [a, b] = [rank.get(left) ?? null, rank.get(right) ?? null];
    if (a !== b && (a === null || b === null)) return a === null ? 1 : -1;
    if (a !== null && b !== null && Math.abs(a - b) > 1e-11) return b - a;
    const [one, other] = [JSON.parse(left) as string[], JSON.parse(right) as string[]];
    return one.map((text, index) => compare(text, other[index] ?? '')).find((sign) => sign !== 0) ?? 0;
  });
  const shown = by.length === 0 ? ['[]'] : ordered.slice(0, limit);
  const some = (key: string) => (by.length === 0 ? records : (groups.get(key) ?? []));
  const rowOf = (key: string, of: readonly OracleRecord[], time?: number) => ({
    key,
    ...(time === undefined ? {} : { time: new Date(time).toISOString() }),
    values: valuesOf(of),
    n: of.length,
  });
  const rows = bucketOf
    ? shown
        .flatMap((key, place) =>
          [...Map.groupBy(some(key), ({ startMs }) => bucketOf(startMs))].map(([time, of]) => ({
            place,
            row: rowOf(key, of, time),
          })),
        )
        .toSorted((left, right) => compare(left.row.time ?? '', right.row.time ?? '') || left.place - right.place)
        .map(({ row }) => row)
    : shown.map((key) => rowOf(key, some(key)));
  const beyond = records.filter((record) => keysOf(record).some((key) => !shown.includes(key)));
  return {
    rows,
    totals: { values: valuesOf(records), n: records.length },
    other:
      by.length === 0 || ordered.length <= limit
        ? null
        : { values: valuesOf(beyond), n: beyond.length, groups: ordered.length - limit },
  };
}
