import type { TenantReader } from '../../../platform/clickhouse/index.ts';
import { readContentsOfCalls } from '../../traces/index.ts';

/** Input and output of a trace: JSON texts, `''` for none. */
export interface RootPayloads {
  input: string;
  output: string;
  /** A text was longer than the maximum and was cut. */
  cut: boolean;
}

interface RootRow {
  trace_id: string;
  root: string;
}

interface PayloadRow {
  trace_id: string;
  span_id: string;
  input: string;
  output: string;
  cut: number;
}

// The root is found without payloads first: a trace may have thousands of spans.
const rootsSql = `SELECT trace_id, argMin(span_id, (parent_span_id != '', start_time, span_id)) AS root
FROM spans FINAL
PREWHERE trace_id IN {traces:Array(String)}
WHERE span_id != ''
GROUP BY trace_id`;

const payloadsSql = `SELECT trace_id, span_id, substringUTF8(spans.input, 1, {maxLength:UInt64}) AS input,
  substringUTF8(spans.output, 1, {maxLength:UInt64}) AS output,
  lengthUTF8(spans.input) > {maxLength:UInt64} OR lengthUTF8(spans.output) > {maxLength:UInt64} AS cut
FROM spans FINAL
PREWHERE (trace_id, span_id) IN arrayZip({traces:Array(String)}, {spans:Array(String)})`;

/**
 * Input and output of traces: those of the trace's own record (a native `trace` event), else those of its root, else the first input and the last
 * output of its calls (docs/semantics.md, "Trace summary").
 *
 * @param max characters of each text
 */
export async function readRootPayloads(
  reader: TenantReader,
  traceIds: readonly string[],
  maxLength: number,
): Promise<Map<string, RootPayloads>> {
  if (traceIds.length === 0) return new Map();
  const roots = await reader.query<RootRow>(rootsSql, { traces: traceIds });
  const rows = await readPayloads(
    reader,
    [...roots.map(({ trace_id, root }) => [trace_id, root] as const), ...traceIds.map((traceId) => [traceId, ''] as const)],
    maxLength,
  );
  const payloads = new Map<string, RootPayloads>();
  for (const [traceId, found] of Map.groupBy(rows, (row) => row.trace_id)) {
    const record = found.find((row) => row.span_id === '');
    const root = found.find((row) => row.span_id !== '');
    const cut = found.some((row) => row.cut === 1);
    payloads.set(traceId, { input: record?.input || root?.input || '', output: record?.output || root?.output || '', cut });
  }
  await addContentsOfCalls(reader, payloads, maxLength);
  return payloads;
}

async function readPayloads(
  reader: TenantReader,
  names: ReadonlyArray<readonly [traceId: string, spanId: string]>,
  maxLength: number,
): Promise<PayloadRow[]> {
  if (names.length === 0) return [];
  const [traces, spans] = [names.map(([traceId]) => traceId), names.map(([, spanId]) => spanId)];
  return reader.query<PayloadRow>(payloadsSql, { traces, spans, maxLength });
}

/** Gives traces the contents that their records and roots lack. */
async function addContentsOfCalls(reader: TenantReader, payloads: Map<string, RootPayloads>, maxLength: number): Promise<void> {
  const lacking = [...payloads].filter(([, { input, output }]) => input === '' || output === '').map(([traceId]) => traceId);
  const contents = [...(await readContentsOfCalls(reader, lacking))];
  const names = contents.flatMap(([traceId, { input, output }]) =>
    [input, output].flatMap((content) => (content === null ? [] : [[traceId, content.from.spanId] as const])),
  );
  const rows = new Map((await readPayloads(reader, names, maxLength)).map((row) => [`${row.trace_id} ${row.span_id}`, row]));
  for (const [traceId, { input, output }] of contents) {
    const own = payloads.get(traceId);
    if (!own) continue;
    const rowOf = (spanId: string | undefined) => rows.get(`${traceId} ${spanId ?? ''}`);
    const [inputRow, outputRow] = [
      own.input === '' ? rowOf(input?.from.spanId) : undefined,
      own.output === '' ? rowOf(output?.from.spanId) : undefined,
    ];
    payloads.set(traceId, {
      input: own.input || (inputRow?.input ?? ''),
      output: own.output || (outputRow?.output ?? ''),
      cut: own.cut || inputRow?.cut === 1 || outputRow?.cut === 1,
    });
  }
}
