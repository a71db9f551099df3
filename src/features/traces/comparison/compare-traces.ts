import type { Readable } from 'node:stream';
import type { z } from 'zod';
import { maxComparedSpans } from '../../../contract/trace-comparison.ts';
import type { TraceComparison, traceComparisonQuery } from '../../../contract/trace-comparison.ts';
import type { TraceSummary } from '../../../contract/traces.ts';
import type { TenantReader } from '../../../platform/clickhouse/index.ts';
import type { Tenant } from '../../../platform/http/index.ts';
import { jsonList } from '../../../platform/json/index.ts';
import { exact } from '../../../platform/statistics/index.ts';
import { idsOf, readStoredSummary, summaryOf } from '../get-trace.ts';
import { readSpans } from '../read-spans.ts';
import { spanChunks } from '../span-chunks.ts';
import { readHeaders } from '../span-headers.ts';
import { outlineOf, withContents } from '../span-json.ts';
import { toSummary } from '../trace-summary.ts';
import { readersFor } from '../traces-context.ts';
import type { RetainedReaders, TracesContext } from '../traces-context.ts';
import { alignTrees } from './align-trees.ts';
import type { AlignedNode } from './align-trees.ts';
import { spanChanges } from './span-changes.ts';
import type { ComparedSpan } from './span-changes.ts';

/** Rows that are turned into text at once. */
const chunkRows = 250;

interface ShownSpan extends AlignedNode, ComparedSpan {
  fields: Record<string, unknown> & ComparedSpan['fields'];
}

interface Side {
  summary: TraceSummary;
  spans: ShownSpan[];
  truncated: boolean;
}

/**
 * Two traces with the differences of their figures, and their spans in pairs (docs/semantics.md, "Two traces side by side"), as a stream of JSON text.
 *
 * Errors: `not_found` for a trace that the project does not have, or of which all records are older than the retention edge.
 */
export async function compareTraces(
  context: Pick<TracesContext, 'clickhouse' | 'clock'>,
  tenant: Tenant,
  { a: idOfA, b: idOfB }: z.output<typeof traceComparisonQuery>,
): Promise<Readable> {
  const readers = readersFor(context, tenant);
  const a = await readSide(readers, idOfA);
  const b = idOfA === idOfB ? a : await readSide(readers, idOfB);
  const head = JSON.stringify({ a: a.summary, b: b.summary, deltas: deltasOf(a.summary, b.summary) });
  const end = `],"truncated":${a.truncated || b.truncated}}`;
  return jsonList(`${head.slice(0, -1)},"rows":[`, rowTexts(a.spans, b.spans), () => end);
}

async function* rowTexts(a: readonly ShownSpan[], b: readonly ShownSpan[]): AsyncGenerator<string[]> {
  const pairs = alignTrees(a, b);
  let hasDifference = false;
  for (let at = 0; at < pairs.length; at += chunkRows) {
    yield pairs.slice(at, at + chunkRows).map((pair) => {
      const [left, right] = [pair.a === null ? undefined : a[pair.a], pair.b === null ? undefined : b[pair.b]];
      const changes = left && right ? spanChanges(left, right) : [];
      const ofOne = left ? 'a' : 'b';
      const ofBoth = changes.length === 0 ? 'same' : 'changed';
      const match = left && right ? ofBoth : ofOne;
      const first = match !== 'same' && !hasDifference ? { firstDifference: true } : {};
      hasDifference ||= match !== 'same';
      return JSON.stringify({ match, a: left?.fields ?? null, b: right?.fields ?? null, changes, ...first });
    });
  }
}

async function readSide(readers: RetainedReaders, traceId: string): Promise<Side> {
  const reader = readers.whole;
  const [stored, headers] = await Promise.all([readStoredSummary(reader, traceId), readHeaders(reader, traceId, false)]);
  const summary = toSummary(await summaryOf(readers, traceId, stored, headers));
  const places = headers.places.slice(0, maxComparedSpans);
  const spans: ShownSpan[] = [];
  for (const chunk of spanChunks(places, 0)) {
    const ids = idsOf(chunk.places);
    const [rows, digests] = await Promise.all([readSpans(reader, traceId, ids, false), readDigests(reader, traceId, ids)]);
    for (const place of chunk.places) {
      const row = rows.get(place.spanId);
      // Without a row the span was deleted after the span headers were read.
      if (!row) continue;
      const own = digests.get(place.spanId);
      const from = digests.get(place.rules.contentFrom);
      const fields = outlineOf(withContents(row, rows.get(place.rules.contentFrom)), place, true);
      spans.push({
        depth: place.depth,
        label: JSON.stringify([place.rules.kind, labelOf(place.rules, row)]),
        fields,
        input: own?.input || from?.input || '',
        output: own?.output || from?.output || '',
      });
    }
  }
  return { summary, spans, truncated: headers.truncated || headers.places.length > places.length };
}

/** The name by which a span is paired: that of the tool or of the agent where it has one. */
function labelOf({ kind, agentName }: { kind: string; agentName: string }, row: { name: string; toolName: string }): string {
  if (kind === 'tool' && row.toolName !== '') return row.toolName;
  return kind === 'agent' && agentName !== '' ? agentName : row.name;
}

/** SQL of {@link readDigests}. */
export const digestsSql = `SELECT span_id, ${digest('input')} AS input_digest, ${digest('output')} AS output_digest
FROM spans FINAL
PREWHERE trace_id = {trace:String} AND span_id IN {spans:Array(String)}`;

function digest(column: string): string {
  return `if(${column} = '', '', concat(toString(length(${column})), ' ', toString(sipHash64(${column})), toString(cityHash64(${column}))))`;
}

/** Texts that are equal where the stored input or output of spans is; `''` for none. */
async function readDigests(
  reader: TenantReader,
  traceId: string,
  spanIds: readonly string[],
): Promise<Map<string, Pick<ComparedSpan, 'input' | 'output'>>> {
  const rows = await reader.query<{ span_id: string; input_digest: string; output_digest: string }>(digestsSql, {
    trace: traceId,
    spans: spanIds,
  });
  return new Map(rows.map((row) => [row.span_id, { input: row.input_digest, output: row.output_digest }]));
}

/** The figures of `b` minus those of `a`. */
function deltasOf(a: TraceSummary, b: TraceSummary): TraceComparison['deltas'] {
  return {
    durationMs: a.durationMs === null || b.durationMs === null ? null : exact(b.durationMs - a.durationMs),
    costUsd: difference(a.costUsd, b.costUsd),
    spanCount: b.spanCount - a.spanCount,
    callCount: b.callCount - a.callCount,
    inputTokens: b.inputTokens - a.inputTokens,
    outputTokens: b.outputTokens - a.outputTokens,
    errorCount: b.errorCount - a.errorCount,
  };
}

/** `b` minus `a`, to the digits that both have: what a subtraction leaves behind them is no figure. */
function difference(a: number, b: number): number {
  const largest = Math.max(Math.abs(a), Math.abs(b));
  if (largest === 0) return 0;
  const places = 14 - Math.floor(Math.log10(largest));
  return Number((b - a).toFixed(Math.min(100, Math.max(0, places))));
}
