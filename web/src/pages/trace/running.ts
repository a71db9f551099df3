import type { TraceDetail } from '../../api/wire.ts';

const soonestMs = 3_000;
const latestMs = 60_000;
/** What has lasted this many times as long is worth asking for again. */
const patience = 20;

/** Whether a span of the trace has not ended, as far as is known. */
export function isRunning({ spans }: Pick<TraceDetail, 'spans'>): boolean {
  return spans.some(({ durationMs }) => durationMs === null);
}

/**
 * After how many milliseconds a trace is asked for again: every few seconds while a span runs, more seldom the longer nothing new has begun,
 * since a span whose process died never ends. False: not at all.
 */
export function askAgainMs(detail: Pick<TraceDetail, 'spans'> | undefined, nowMs: number): number | false {
  if (!detail || !isRunning(detail)) return false;
  let lastMs = 0;
  for (const { startTime } of detail.spans) lastMs = Math.max(lastMs, Date.parse(startTime));
  return Math.min(Math.max((nowMs - lastMs) / patience, soonestMs), latestMs);
}
