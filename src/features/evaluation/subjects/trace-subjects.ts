import type { TenantReader } from '../../../platform/clickhouse/index.ts';
import type { Target } from '../score-id.ts';
import { mostPayloadBytes, valueOf } from './evaluated.ts';
import type { Evaluated } from './evaluated.ts';
import { readRootPayloads } from './root-payloads.ts';
import { tooLarge } from './span-subjects.ts';

interface TraceRow extends TraceCost {
  trace_id: string;
  duration_ms: number | null;
}

/** What calls have cost. */
export interface TraceCost {
  cost: number;
  calls: number;
  unpriced: number;
}

export const tracesSql = `SELECT trace_id, duration_ms, cost, call_count AS calls, unpriced_calls AS unpriced
FROM traces FINAL
WHERE trace_id IN {traces:Array(String)}`;

/** A trace's own input and output or else its root's, the time from its first start to its last end, and the cost of its calls. */
export async function readTraceSubjects(reader: TenantReader, targets: readonly Target[]): Promise<Evaluated[]> {
  const traces = [...new Set(targets.map(({ traceId }) => traceId))];
  if (traces.length === 0) return [];
  const [rows, payloads] = await Promise.all([
    reader.query<TraceRow>(tracesSql, { traces }),
    readRootPayloads(reader, traces, mostPayloadBytes),
  ]);
  const found = new Map(rows.map((row) => [row.trace_id, row]));
  return targets.map(({ traceId }) => {
    const row = found.get(traceId);
    const payload = payloads.get(traceId);
    if (!row || !payload) return { nothing: 'the trace is no longer there' };
    if (payload.cut) return { nothing: tooLarge('trace') };
    return {
      subject: {
        input: valueOf(payload.input),
        output: valueOf(payload.output),
        expectedOutput: undefined,
        latencyMs: row.duration_ms,
        costUsd: costOf(row),
      },
    };
  });
}

/** null when calls were made and none of them has a known price. */
export function costOf({ cost, calls, unpriced }: TraceCost): number | null {
  return calls > 0 && unpriced === calls ? null : cost;
}
