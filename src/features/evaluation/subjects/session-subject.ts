import type { TenantReader } from '../../../platform/clickhouse/index.ts';
import { valueOf } from './evaluated.ts';
import type { Evaluated } from './evaluated.ts';
import { readRootPayloads } from './root-payloads.ts';
import type { RootPayloads } from './root-payloads.ts';
import { costOf } from './trace-subjects.ts';
import type { TraceCost } from './trace-subjects.ts';

/** Most turns of a session that are evaluated: the latest. */
const mostTurns = 100;
/** Most characters of one input or output, and of all turns together; then the latest turns alone. */
const mostPayload = 20_000;
const mostCharacters = 500_000;

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
LIMIT ${mostTurns}`;

/**
 * A session as a conversation: each of its traces is a turn. Its input is the first turn's input, its output the list of turns, `{input, output}`
 * each, in order; of a long session the latest ones, and of a long text its beginning. Duration and cost are summed up over all of its traces.
 */
export async function readSessionSubject(reader: TenantReader, sessionId: string): Promise<Evaluated> {
  const parameters = { session: sessionId };
  const [sums, turns] = await Promise.all([
    reader.query<SumRow>(sumSql, parameters),
    reader.query<{ trace_id: string }>(turnsSql, parameters),
  ]);
  const sum = sums[0];
  if (!sum) return { nothing: 'the session is no longer there' };
  const payloads = await readRootPayloads(
    reader,
    turns.map((turn) => turn.trace_id),
    mostPayload + 1,
  );
  const output: Array<{ input: unknown; output: unknown }> = [];
  let characters = 0;
  for (const { trace_id: traceId } of turns) {
    const payload = payloads.get(traceId);
    if (!payload) continue;
    characters += payload.input.length + payload.output.length;
    if (characters > mostCharacters && output.length > 0) break;
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
    // A session that was active again is evaluated again, whatever was said.
    state: [sum.traces, sum.spans],
  };
}

function turnOf({ input, output }: RootPayloads): { input: unknown; output: unknown } {
  return { input: shortened(input), output: shortened(output) };
}

function shortened(json: string): unknown {
  return json.length > mostPayload ? `${json.slice(0, mostPayload)}…` : (valueOf(json) ?? null);
}
