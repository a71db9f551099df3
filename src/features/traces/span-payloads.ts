import type { TenantReader } from '../../platform/clickhouse/index.ts';
import type { Tenant } from '../../platform/http/index.ts';
import { readContentsOfCalls } from './span-headers.ts';
import { readerFor } from './traces-context.ts';
import type { TracesContext } from './traces-context.ts';

type Reading = Pick<TracesContext, 'clickhouse' | 'clock'>;
type Reader = Pick<Tenant, 'projectId' | 'plan'>;

/** A span by its ids; without `spanId` the root of the trace, with the contents of the trace. */
export interface SpanName {
  traceId: string;
  spanId: string | null;
}

/** A span that was found. */
export interface FoundSpan {
  traceId: string;
  /** `''` when the trace has no spans, only its own record. */
  spanId: string;
  /** Whether the root was requested: the trace's own record, then its calls fill the fields that it leaves out. */
  isRoot: boolean;
  /** The spans whose input and output are those of the trace, where root and record have none. */
  inputFrom?: string;
  outputFrom?: string;
  /** Total size of its input and output. */
  bytes: number;
}

/** Complete JSON texts as they were sent; null when left out. */
export interface SpanPayloads {
  input: string | null;
  output: string | null;
}

/** Maximum span references in one query. */
const chunk = 500;

// Same rule as `treeOrder`: the earliest span without a parent in its trace; in a cycle, the earliest span.
export const rootsSql = `SELECT trace_id, argMin(span_id, (span_id = '', parent_span_id != '' AND (trace_id, parent_span_id) GLOBAL IN (
    SELECT trace_id, span_id FROM spans FINAL PREWHERE trace_id IN {traces:Array(String)} WHERE span_id != ''
  ), start_time, span_id)) AS root
FROM spans FINAL
PREWHERE trace_id IN {traces:Array(String)}
GROUP BY trace_id`;

const named = `FROM spans FINAL
PREWHERE (trace_id, span_id) IN arrayZip({traces:Array(String)}, {spans:Array(String)})`;
export const spanSizesSql = `SELECT trace_id, span_id, length(input) AS input_bytes, length(output) AS output_bytes
${named}`;
export const spanPayloadsSql = `SELECT trace_id, span_id, input, output
${named}`;

/**
 * Finds spans by their ids, in the order requested; null for one that the project does not have or that is older than the retention edge.
 * Returns their sizes, so that the caller can limit how many it reads at once.
 */
export async function findSpans(context: Reading, tenant: Reader, names: readonly SpanName[]): Promise<Array<FoundSpan | null>> {
  const reader = readerFor(context, tenant);
  const roots = await findRoots(reader, [
    ...new Set(names.filter(({ spanId }) => spanId === null).map(({ traceId }) => traceId)),
  ]);
  const wanted = names.map(({ traceId, spanId }) => {
    const found = spanId ?? roots.get(traceId);
    return found === undefined ? null : { traceId, spanId: found, isRoot: spanId === null };
  });
  const rows = await readNamed<SizeRow>(
    reader,
    spanSizesSql,
    wanted.filter((span) => span !== null),
  );
  const found = wanted.map((span) => {
    const row = span && rows.get(keyOf(span.traceId, span.spanId));
    if (!row) return null;
    const record = span.isRoot && span.spanId !== '' ? rows.get(keyOf(span.traceId, '')) : undefined;
    const input = row.input_bytes + (record?.input_bytes ?? 0);
    const output = row.output_bytes + (record?.output_bytes ?? 0);
    return { span: { ...span, bytes: input + output }, lacks: { input: input === 0, output: output === 0 } };
  });
  return withContentsOfCalls(reader, found);
}

interface SizedSpan {
  span: FoundSpan;
  lacks: { input: boolean; output: boolean };
}

/** Names the calls whose contents are those of a trace that has none of its own, and adds their sizes. */
async function withContentsOfCalls(
  reader: TenantReader,
  found: ReadonlyArray<SizedSpan | null>,
): Promise<Array<FoundSpan | null>> {
  const lacking = found.flatMap((one) => (one?.span.isRoot && (one.lacks.input || one.lacks.output) ? [one.span.traceId] : []));
  if (lacking.length === 0) return found.map((one) => one && one.span);
  const contents = await readContentsOfCalls(reader, [...new Set(lacking)]);
  const named = found.map((one): FoundSpan | null => {
    if (!one?.span.isRoot) return one && one.span;
    const { input, output } = contents.get(one.span.traceId) ?? { input: null, output: null };
    return {
      ...one.span,
      ...(one.lacks.input && input ? { inputFrom: input.from.spanId } : {}),
      ...(one.lacks.output && output ? { outputFrom: output.from.spanId } : {}),
    };
  });
  const sizes = await readNamed<SizeRow>(reader, spanSizesSql, named.flatMap(spansOfCalls));
  return named.map((span) => {
    if (span === null) return null;
    const inputBytes = sizes.get(keyOf(span.traceId, span.inputFrom ?? ''))?.input_bytes ?? 0;
    return {
      ...span,
      bytes: span.bytes + inputBytes + (sizes.get(keyOf(span.traceId, span.outputFrom ?? ''))?.output_bytes ?? 0),
    };
  });
}

function spansOfCalls(span: FoundSpan | null): Array<Omit<FoundSpan, 'bytes'>> {
  const ids = [span?.inputFrom, span?.outputFrom].filter((id) => id !== undefined);
  return [...new Set(ids)].map((spanId) => ({ traceId: span?.traceId ?? '', spanId, isRoot: false }));
}

/** Input and output of spans that {@link findSpans} found, in their order; null for one that was deleted since. */
export async function readSpanPayloads(context: Reading, tenant: Reader, spans: readonly FoundSpan[]): Promise<SpanPayloads[]> {
  const all = spans.flatMap((span) => [span, ...spansOfCalls(span)]);
  const rows = await readNamed<PayloadRow>(readerFor(context, tenant), spanPayloadsSql, all);
  return spans.map(({ traceId, spanId, isRoot, inputFrom, outputFrom }) => {
    const own = rows.get(keyOf(traceId, spanId));
    const record = isRoot ? rows.get(keyOf(traceId, '')) : undefined;
    const inputRow = inputFrom === undefined ? undefined : rows.get(keyOf(traceId, inputFrom));
    const outputRow = outputFrom === undefined ? undefined : rows.get(keyOf(traceId, outputFrom));
    return {
      input: own?.input || record?.input || inputRow?.input || null,
      output: own?.output || record?.output || outputRow?.output || null,
    };
  });
}

interface NamedRow {
  trace_id: string;
  span_id: string;
}

interface SizeRow extends NamedRow {
  input_bytes: number;
  output_bytes: number;
}

interface PayloadRow extends NamedRow {
  input: string;
  output: string;
}

async function findRoots(reader: TenantReader, traceIds: readonly string[]): Promise<Map<string, string>> {
  const roots = new Map<string, string>();
  for (let start = 0; start < traceIds.length; start += chunk) {
    const traces = traceIds.slice(start, start + chunk);
    const rows = await reader.query<{ trace_id: string; root: string }>(rootsSql, { traces });
    for (const { trace_id: traceId, root } of rows) roots.set(traceId, root);
  }
  return roots;
}

/** The rows of spans, and the own records of traces whose root is requested. */
async function readNamed<T extends NamedRow>(
  reader: TenantReader,
  sql: string,
  spans: ReadonlyArray<Omit<FoundSpan, 'bytes'>>,
): Promise<Map<string, T>> {
  const names = spans.flatMap(({ traceId, spanId, isRoot }) => [
    { traceId, spanId },
    ...(isRoot && spanId !== '' ? [{ traceId, spanId: '' }] : []),
  ]);
  const rows = new Map<string, T>();
  for (let start = 0; start < names.length; start += chunk) {
    const part = names.slice(start, start + chunk);
    const read = await reader.query<T>(sql, {
      traces: part.map(({ traceId }) => traceId),
      spans: part.map(({ spanId }) => spanId),
    });
    for (const row of read) rows.set(keyOf(row.trace_id, row.span_id), row);
  }
  return rows;
}

function keyOf(traceId: string, spanId: string): string {
  return JSON.stringify([traceId, spanId]);
}
