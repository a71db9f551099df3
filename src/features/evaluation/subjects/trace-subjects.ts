import type { TenantReader } from '../../../platform/clickhouse/index.ts';
import type { Target } from '../score-id.ts';
import { maxPayloadBytes, valueOf } from './evaluated.ts';
import type { Evaluated } from './evaluated.ts';
import { readRootPayloads } from './root-payloads.ts';
import type { RootPayloads } from './root-payloads.ts';
import { tooLarge } from './span-subjects.ts';

interface TraceRow extends TraceCost {
  trace_id: string;
  duration_ms: number | null;
}

/** Cost of the calls of a trace. */
export interface TraceCost {
  cost: number;
  calls: number;
  unpriced: number;
}

export const tracesSql = `SELECT trace_id, duration_ms, cost, call_count AS calls, unpriced_calls AS unpriced
FROM traces FINAL
WHERE trace_id IN {traces:Array(String)}`;

const noPayload: RootPayloads = { input: '', output: '', cut: false };

/**
 * Input and output of traces, or of their roots; the time from the first start to the last end; and the cost of the calls.
 *
 * @param withPayloads whether input and output are read
 */
export async function readTraceSubjects(
  reader: TenantReader,
  targets: readonly Target[],
  withPayloads: boolean,
): Promise<Evaluated[]> {
  const traces = [...new Set(targets.map(({ traceId }) => traceId))];
  if (traces.length === 0) return [];
  const [rows, payloads] = await Promise.all([
    reader.query<TraceRow>(tracesSql, { traces }),
    withPayloads ? readRootPayloads(reader, traces, maxPayloadBytes) : null,
  ]);
  const found = new Map(rows.map((row) => [row.trace_id, row]));
  return targets.map(({ traceId }) => {
    const row = found.get(traceId);
    const payload = payloads === null ? noPayload : payloads.get(traceId);
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

/** null when there are calls and none has a known price. */
export function costOf({ cost, calls, unpriced }: TraceCost): number | null {
  return calls > 0 && unpriced === calls ? null : cost;
}
