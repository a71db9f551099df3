import { policyLimits } from '../../../contract/limits.ts';
import { retentionCutoff } from '../../../contract/plans.ts';
import type { Tenant } from '../../../platform/http/index.ts';
import { findSpans, readSpanPayloads } from '../../traces/index.ts';
import type { FoundSpan } from '../../traces/index.ts';
import type { Platform } from '../../../platform/feature/index.ts';
import type { ReplayedTexts } from './replay-worker.ts';

type Reading = Pick<Platform, 'clickhouse' | 'clock'>;

/** A span that is replayed. */
export interface ReplayedSpan {
  traceId: string;
  spanId: string;
  /** `''` for none. */
  userId: string;
  /** `''` for none. */
  environment: string;
}

/** Spans that are read and checked together. */
const chunkSpans = 250;
const chunkBytes = 4_000_000;

// Not in PREWHERE: an earlier version of a span may be of another kind.
export const replayedSql = `SELECT trace_id, span_id, user_id, environment
FROM spans FINAL
WHERE kind = 'llm' AND start_time >= fromUnixTimestamp64Milli({from:Int64}, 'UTC') AND start_time <= fromUnixTimestamp64Milli({to:Int64}, 'UTC')
ORDER BY start_time DESC, trace_id, span_id
LIMIT ${policyLimits.replaySpans}`;

export const usersSql = `SELECT trace_id, user_id
FROM traces FINAL
WHERE trace_id IN {traces:Array(String)} AND user_id != ''`;

/** The newest `llm` spans of a window. A span without a user has that of its trace. */
export async function spansToReplay(
  { clickhouse, clock }: Reading,
  { projectId, plan }: Tenant,
  { fromMs, toMs }: { fromMs: number; toMs: number },
): Promise<ReplayedSpan[]> {
  const reader = clickhouse.forTenant({ projectId, oldestMs: retentionCutoff(plan, clock.now()) });
  const rows = await reader.query<{ trace_id: string; span_id: string; user_id: string; environment: string }>(replayedSql, {
    from: fromMs,
    to: toMs,
  });
  const traces = [...new Set(rows.filter(({ user_id: userId }) => userId === '').map((row) => row.trace_id))];
  const known = traces.length === 0 ? [] : await reader.query<{ trace_id: string; user_id: string }>(usersSql, { traces });
  const users = new Map(known.map((row) => [row.trace_id, row.user_id]));
  return rows.map(({ trace_id: traceId, span_id: spanId, user_id: userId, environment }) => ({
    traceId,
    spanId,
    userId: userId || (users.get(traceId) ?? ''),
    environment,
  }));
}

/** The payloads of spans, in their order, in chunks of at most 4 MB or one span. */
export async function* payloadChunks(
  context: Reading,
  tenant: Tenant,
  spans: readonly ReplayedSpan[],
): AsyncGenerator<{ spans: ReplayedSpan[]; texts: ReplayedTexts[] }> {
  for (let start = 0; start < spans.length; start += chunkSpans) {
    const some = spans.slice(start, start + chunkSpans);
    const found = await findSpans(context, tenant, some);
    for (const { from, to } of chunksBySize(found)) {
      const there = found.slice(from, to).filter((span) => span !== null);
      const payloads = await readSpanPayloads(context, tenant, there);
      const byKey = new Map(there.map((span, place) => [`${span.traceId} ${span.spanId}`, payloads[place]]));
      const part = some.slice(from, to);
      const texts = part.map(({ traceId, spanId, environment }) => {
        const { input = null, output = null } = byKey.get(`${traceId} ${spanId}`) ?? {};
        return { environment, input, output };
      });
      yield { spans: part, texts };
    }
  }
}

function chunksBySize(found: ReadonlyArray<FoundSpan | null>): Array<{ from: number; to: number }> {
  const chunks: Array<{ from: number; to: number }> = [];
  let bytes = 0;
  for (const [place, span] of found.entries()) {
    const last = chunks.at(-1);
    bytes += span?.bytes ?? 0;
    if (last && bytes <= chunkBytes) last.to = place + 1;
    else {
      chunks.push({ from: place, to: place + 1 });
      bytes = span?.bytes ?? 0;
    }
  }
  return chunks;
}
