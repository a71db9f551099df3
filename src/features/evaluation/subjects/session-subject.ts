import type { TenantReader } from '../../../platform/clickhouse/index.ts';
import { cutText } from '../../../platform/text/index.ts';
import { valueOf } from './evaluated.ts';
import type { Evaluated } from './evaluated.ts';
import { readRootPayloads } from './root-payloads.ts';
import type { RootPayloads } from './root-payloads.ts';
import { costOf } from './trace-subjects.ts';
import type { TraceCost } from './trace-subjects.ts';

/** The latest turns of a session that are evaluated. */
const maxTurns = 100;
/** Characters of one input or output, and of all turns together; the earliest turns are left out. */
const maxPayload = 20_000;
const maxCharacters = 500_000;

interface SumRow extends TraceCost {
  duration_ms: number | null;
  traces: number;
  spans: number;
}

const sumSql = `SELECT sum(duration_ms) AS duration_ms, sum(traces.cost) AS cost, sum(call_count) AS calls, sum(unpriced_calls) AS unpriced,
  count() AS traces, sum(span_count) AS spans
FROM traces FINAL
WHERE session_id = {session:String}
GROUP BY session_id`;

const turnsSql = `SELECT trace_id
FROM traces FINAL
WHERE session_id = {session:String}
ORDER BY start_time DESC, trace_id DESC
LIMIT ${maxTurns}`;

/**
 * Reads a session as a conversation whose turns are its traces. Its input is that of the first turn, its output the list of turns
 * `{input, output}` in order: the latest ones of a long session, the beginning of a long text. Duration and cost are sums over all traces.
 */
export async function readSessionSubject(reader: TenantReader, sessionId: string, withPayloads: boolean): Promise<Evaluated> {
  const parameters = { session: sessionId };
  const [sums, turns] = await Promise.all([
    reader.query<SumRow>(sumSql, parameters),
    withPayloads ? reader.query<{ trace_id: string }>(turnsSql, parameters) : [],
  ]);
  const sum = sums[0];
  if (!sum) return { nothing: 'the session is no longer there' };
  const payloads = await readRootPayloads(
    reader,
    turns.map((turn) => turn.trace_id),
    maxPayload + 1,
  );
  const output: Array<{ input: unknown; output: unknown }> = [];
  let characters = 0;
  for (const { trace_id: traceId } of turns) {
    const payload = payloads.get(traceId);
    if (!payload) continue;
    characters += payload.input.length + payload.output.length;
    if (characters > maxCharacters && output.length > 0) break;
    output.unshift(turnOf(payload));
  }
  return {
    subject: {
      input: output[0]?.input,
      output,
      expectedOutput: undefined,
      latencyMs: sum.duration_ms,
      costUsd: costOf(sum),
    },
    // New activity causes a new evaluation, even if the turns are equal.
    state: [sum.traces, sum.spans],
  };
}

function turnOf({ input, output }: RootPayloads): { input: unknown; output: unknown } {
  return { input: shortened(input), output: shortened(output) };
}

function shortened(json: string): unknown {
  return json.length > maxPayload ? `${cutText(json, maxPayload)}…` : (valueOf(json) ?? null);
}
