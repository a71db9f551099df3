import type { TenantReader } from '../../../platform/clickhouse/index.ts';

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
 * Input and output of traces: those of the trace's own record (a native `trace` event), else those of its root.
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
  const names = [...roots.map(({ trace_id, root }) => [trace_id, root]), ...traceIds.map((traceId) => [traceId, ''])];
  const rows = await reader.query<PayloadRow>(payloadsSql, {
    traces: names.map(([traceId]) => traceId),
    spans: names.map(([, spanId]) => spanId),
    maxLength,
  });
  const byTrace = Map.groupBy(rows, (row) => row.trace_id);
  return new Map(
    [...byTrace].map(([traceId, found]) => {
      const record = found.find((row) => row.span_id === '');
      const root = found.find((row) => row.span_id !== '');
      const cut = found.some((row) => row.cut === 1);
      return [traceId, { input: record?.input || root?.input || '', output: record?.output || root?.output || '', cut }];
    }),
  );
}
