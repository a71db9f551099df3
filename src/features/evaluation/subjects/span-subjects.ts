import type { TenantReader } from '../../../platform/clickhouse/index.ts';
import { maxSpansOfATrace, resolveTrace, spans } from '../../trace-store/index.ts';
import type { Target } from '../score-id.ts';
import { maxPayloadBytes, valueOf } from './evaluated.ts';
import type { Evaluated } from './evaluated.ts';

interface SpanRow {
  trace_id: string;
  span_id: string;
  input: string;
  output: string;
  too_large: number;
  duration_ms: number | null;
  cost_usd: number | null;
}

const payloadColumns = `if(too_large, '', input) AS input, if(too_large, '', output) AS output,
  length(spans.input) > ${maxPayloadBytes} OR length(spans.output) > ${maxPayloadBytes} AS too_large`;
const noPayloads = "'' AS input, '' AS output, 0 AS too_large";

/** SQL of {@link readSpanSubjects}. */
export const spanSubjectsSql = (
  payloads: boolean,
): string => `SELECT trace_id, span_id, ${payloads ? payloadColumns : noPayloads},
  if(end_time IS NULL, NULL, (reinterpretAsInt64(assumeNotNull(end_time)) - reinterpretAsInt64(start_time)) / 1e6) AS duration_ms, cost_usd
FROM spans FINAL
PREWHERE (trace_id, span_id) IN arrayZip({traces:Array(String)}, {spans:Array(String)})`;

/** Input, output, duration and cost of spans, in the order of the targets; without `payloads` only duration and cost. */
export async function readSpanSubjects(
  reader: TenantReader,
  targets: readonly Target[],
  payloads: boolean,
): Promise<Evaluated[]> {
  const found = await readRows(reader, targets, payloads);
  if (payloads) await takeContents(reader, [...found.values()]);
  return targets.map(({ traceId, spanId }) => {
    const row = found.get(`${traceId}\n${spanId}`);
    if (!row) return { nothing: 'the span is no longer there' };
    if (row.too_large) return { nothing: tooLarge('span') };
    return {
      subject: {
        input: valueOf(row.input),
        output: valueOf(row.output),
        expectedOutput: undefined,
        latencyMs: row.duration_ms === null ? null : Math.max(0, row.duration_ms),
        costUsd: row.cost_usd,
      },
    };
  });
}

async function readRows(
  reader: TenantReader,
  targets: ReadonlyArray<Pick<Target, 'traceId' | 'spanId'>>,
  payloads: boolean,
): Promise<Map<string, SpanRow>> {
  const rows = await reader.query<SpanRow>(spanSubjectsSql(payloads), {
    traces: targets.map(({ traceId }) => traceId),
    spans: targets.map(({ spanId }) => spanId),
  });
  return new Map(rows.map((row) => [`${row.trace_id}\n${row.span_id}`, row]));
}

/** SQL for the rules about whole traces. */
export const nodesSql = `SELECT ${spans.headerSelection}
FROM spans FINAL
WHERE trace_id IN {traces:Array(String)} AND span_id != ''
LIMIT ${maxSpansOfATrace} BY trace_id`;

/** Gives calls without an input or output those of the span of the same call that has them (docs/semantics.md, "Repeated calls"). */
async function takeContents(reader: TenantReader, rows: readonly SpanRow[]): Promise<void> {
  const lacking = rows.filter((row) => !row.too_large && (row.input === '' || row.output === ''));
  if (lacking.length === 0) return;
  const traces = [...new Set(lacking.map((row) => row.trace_id))];
  const headers = (await reader.query<Record<string, unknown>>(nodesSql, { traces })).map((row) => spans.parse('', row));
  const sources = new Map<string, { traceId: string; spanId: string }>();
  for (const ofTrace of Map.groupBy(headers, ({ traceId }) => traceId).values()) {
    for (const [{ traceId, spanId }, { contentFrom }] of resolveTrace(ofTrace)) {
      if (contentFrom !== '') sources.set(`${traceId}\n${spanId}`, { traceId, spanId: contentFrom });
    }
  }
  const wanted = lacking.flatMap((row) => sources.get(`${row.trace_id}\n${row.span_id}`) ?? []);
  if (wanted.length === 0) return;
  const found = await readRows(reader, wanted, true);
  for (const row of lacking) {
    const source = sources.get(`${row.trace_id}\n${row.span_id}`);
    const from = source && found.get(`${source.traceId}\n${source.spanId}`);
    if (!from) continue;
    row.input ||= from.input;
    row.output ||= from.output;
    row.too_large ||= from.too_large;
  }
}

export function tooLarge(what: string): string {
  return `the input or output of the ${what} is larger than ${maxPayloadBytes / 1_048_576} MiB`;
}
