import { expect, test } from 'vitest';
import type { TraceSpan } from '../../api/service.ts';
import { pollIntervalMs } from './running.ts';

const nowMs = Date.parse('2026-11-20T10:00:00Z');
const detail = (...spans: ReadonlyArray<readonly [agoMs: number, durationMs: number | null]>) => ({
  spans: spans.map(([agoMs, durationMs]) => ({ startTime: new Date(nowMs - agoMs).toISOString(), durationMs }) as TraceSpan),
});

test.each([
  ['nothing is known yet', undefined, false],
  ['every span has ended', detail([5_000, 10], [4_000, 0]), false],
  ['a span runs', detail([5_000, 10], [4_000, null]), 3_000],
  ['another has just begun beside one that runs for long', detail([3_600_000, null], [1_000, 10]), 3_000],
  ['nothing has begun for ten minutes', detail([600_000, null]), 30_000],
  ['it looks abandoned', detail([86_400_000, null]), 60_000],
  ['the clock of the browser is behind', detail([-60_000, null]), 3_000],
])('%s', (_what, trace, expected) => expect(pollIntervalMs(trace, nowMs)).toBe(expected));
