import { dayMs } from '../../../../src/contract/durations.ts';

/** The days of a form, `YYYY-MM-DD`, UTC. */
export interface PackDays {
  from: string;
  to: string;
}

/** The last 90 days with today. */
export function lastQuarter(nowMs: number): PackDays {
  const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  return { from: day(nowMs - 89 * dayMs), to: day(nowMs) };
}

/** The range of whole UTC days, which ends now where the last day is today. A text that is no day is sent as it is, for the service to refuse. */
export function rangeOfDays({ from, to }: PackDays, nowMs: number): { from: string; to: string } {
  const [fromMs, toMs] = [Date.parse(`${from}T00:00:00Z`), Date.parse(`${to}T00:00:00Z`)];
  const isToday = to === new Date(nowMs).toISOString().slice(0, 10);
  // The clocks of browser and service differ.
  const endMs = isToday ? Math.min(toMs + dayMs - 1, nowMs - 2_000) : toMs + dayMs - 1;
  return {
    from: Number.isNaN(fromMs) ? from : new Date(fromMs).toISOString(),
    to: Number.isNaN(toMs) ? to : new Date(endMs).toISOString(),
  };
}
