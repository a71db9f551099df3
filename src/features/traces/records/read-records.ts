import type { ListedSpan } from '../../../contract/spans.ts';
import type { ListedTrace } from '../../../contract/traces.ts';
import type { TenantReader } from '../../../platform/clickhouse/index.ts';
import type { Tenant } from '../../../platform/http/index.ts';
import { readSpanColumns, toReadSpan } from '../read-spans.ts';
import type { Previews, ReadSpan } from '../read-spans.ts';
import { readListedSpans } from '../span-list/listed-spans.ts';
import { findSpans, readSpanPayloads } from '../span-payloads.ts';
import { errorsOf } from '../trace-errors.ts';
import { readSummaries } from '../trace-figures.ts';
import { listedColumns, toSummary } from '../trace-summary.ts';
import type { ListedRow } from '../trace-summary.ts';
import { readersFor } from '../traces-context.ts';
import type { TracesContext } from '../traces-context.ts';
import type { RecordIds } from './matching-ids.ts';

type Context = Pick<TracesContext, 'clickhouse' | 'clock'>;
type Reader = Pick<Tenant, 'projectId' | 'plan'>;

/** What a record holds beside what lists have of it, as JSON texts; `''` for none. */
export interface RecordPayloads {
  input: string;
  output: string;
  metadata: string;
  attributes: string;
}

/** A record as a list has it. */
export type ListedRecord = ListedSpan | ListedTrace;

/** Bytes of payloads that are read at a time. */
const bytesAtOnce = 16 * 1_048_576;

/** The traces of these ids as lists have them, by id; none for one that the project does not have. */
export async function readListedTraces(
  context: Context,
  tenant: Reader,
  traceIds: readonly string[],
): Promise<Map<string, ListedTrace>> {
  const readers = readersFor(context, tenant);
  const rows = await readSummaries<ListedRow>(readers, traceIds, listedColumns);
  const errorOf = await errorsOf(readers.whole, rows);
  return new Map(rows.map((row) => [row.trace_id, { ...toSummary(row), error: errorOf(row) }]));
}

/** The spans of these ids as lists have them; those that the project does not have are left out. */
export function readSpansOfList(context: Context, tenant: Reader, ids: readonly RecordIds[]): Promise<ListedSpan[]> {
  return readListedSpans(readersFor(context, tenant), ids, 'spans');
}

/** The payloads of spans, in parts of a bounded size. */
export async function* spanPayloads(
  context: Context,
  tenant: Reader,
  ids: readonly RecordIds[],
): AsyncGenerator<Array<RecordIds & RecordPayloads>> {
  const reader = readersFor(context, tenant).whole;
  for (const part of await partsOf(reader, ids)) {
    const rows = await readNamed(reader, part);
    yield part.flatMap((id) => {
      const span = rows.get(keyOf(id));
      return span ? [{ ...id, ...payloadsOf(span) }] : [];
    });
  }
}

/** The payloads of traces, in parts of a bounded size: input, output and metadata as the trace page has them, the attributes of the root. */
export async function* tracePayloads(
  context: Context,
  tenant: Reader,
  traceIds: readonly string[],
): AsyncGenerator<Array<RecordIds & RecordPayloads>> {
  const reader = readersFor(context, tenant).whole;
  const found = await findSpans(
    context,
    tenant,
    traceIds.map((traceId) => ({ traceId, spanId: null })),
  );
  const roots = found.flatMap((span) => (span === null ? [] : [span]));
  const sizes = new Map(roots.map((root) => [root.traceId, root.bytes]));
  const rest = await sizesOf(reader, roots, 'length(metadata) + length(attributes)');
  for (const part of grouped(roots, (root) => (sizes.get(root.traceId) ?? 0) + (rest.get(keyOf(root)) ?? 0))) {
    const contents = await readSpanPayloads(context, tenant, part);
    const rows = await readNamed(reader, [...part, ...part.map(({ traceId }) => ({ traceId, spanId: '' }))]);
    yield part.map(({ traceId, spanId }, index) => {
      const [root, record] = [rows.get(keyOf({ traceId, spanId })), rows.get(keyOf({ traceId, spanId: '' }))];
      return {
        traceId,
        spanId: '',
        input: record?.input || contents[index]?.input || '',
        output: record?.output || contents[index]?.output || '',
        metadata: record?.metadata || root?.metadata || '',
        attributes: root?.attributes || '',
      };
    });
  }
}

function payloadsOf({ input, output, metadata, attributes }: ReadSpan): RecordPayloads {
  return { input, output, metadata, attributes };
}

const named = 'FROM spans FINAL\nPREWHERE (trace_id, span_id) IN arrayZip({traces:Array(String)}, {spans:Array(String)})';

async function partsOf(reader: TenantReader, ids: readonly RecordIds[]): Promise<RecordIds[][]> {
  const sizes = await sizesOf(reader, ids, 'length(input) + length(output) + length(metadata) + length(attributes)');
  return grouped(ids, (id) => sizes.get(keyOf(id)) ?? 0);
}

async function sizesOf(reader: TenantReader, ids: readonly RecordIds[], size: string): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map();
  const rows = await reader.query<{ trace_id: string; span_id: string; size: number }>(
    `SELECT trace_id, span_id, toFloat64(${size}) AS size\n${named}`,
    parametersOf(ids),
  );
  return new Map(rows.map((row) => [keyOf({ traceId: row.trace_id, spanId: row.span_id }), row.size]));
}

/** Groups of at most {@link bytesAtOnce}, or of one. */
function grouped<T>(all: readonly T[], sizeOf: (one: T) => number): T[][] {
  const groups: T[][] = [];
  let bytes = 0;
  for (const one of all) {
    const size = sizeOf(one);
    const last = groups.at(-1);
    if (last && bytes + size <= bytesAtOnce) {
      last.push(one);
      bytes += size;
    } else {
      groups.push([one]);
      bytes = size;
    }
  }
  return groups;
}

async function readNamed(reader: TenantReader, ids: readonly RecordIds[]): Promise<Map<string, ReadSpan>> {
  const rows = await reader.query<Record<string, unknown> & Previews>(
    `SELECT ${readSpanColumns(true)}\n${named}`,
    parametersOf(ids),
  );
  return new Map(rows.map(toReadSpan).map((span) => [keyOf(span), span]));
}

function parametersOf(ids: readonly RecordIds[]) {
  return { traces: ids.map(({ traceId }) => traceId), spans: ids.map(({ spanId }) => spanId) };
}

function keyOf({ traceId, spanId }: RecordIds): string {
  return `${traceId}/${spanId}`;
}
