import type { TraceDetail } from '../../api/service.ts';

const minPollMs = 3_000;
const maxPollMs = 60_000;
/** The polling interval is this fraction of the time since the last span started. */
const pollFraction = 1 / 20;

/** Whether a span of the trace has no end time yet. */
export function isRunning({ spans }: Pick<TraceDetail, 'spans'>): boolean {
  return spans.some(({ durationMs }) => durationMs === null);
}

/**
 * The polling interval of a trace in milliseconds, false if all spans have ended. It grows with the time since the last span started,
 * because a span whose process died never ends.
 */
export function pollIntervalMs(detail: Pick<TraceDetail, 'spans'> | undefined, nowMs: number): number | false {
  if (!detail || !isRunning(detail)) return false;
  let lastMs = 0;
  for (const { startTime } of detail.spans) lastMs = Math.max(lastMs, Date.parse(startTime));
  return Math.min(Math.max((nowMs - lastMs) * pollFraction, minPollMs), maxPollMs);
}
