import type { Browser, Page } from 'playwright-core';

/** An event of Chromium's trace. Times in microseconds: `ts` of the clock, `tts` and `tdur` of the thread's own processor time. */
interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  ts: number;
  tts?: number;
  dur?: number;
  tdur?: number;
  args: { data?: { requestId?: string; url?: string } };
}

/** What the main thread of a page did while something was done. */
export interface MainThread {
  /** The processor time and the time between two events, milliseconds. @param from the first event of this kind; see {@link TraceEvent} */
  between(from: (event: TraceEvent) => boolean, to: (event: TraceEvent) => boolean): { cpuMs: number; wallMs: number };
  /** The processor time of script, styles and layout, and with drawing, between each `performance.mark` of a name and the next, milliseconds. */
  steps(mark: string): Array<{ scriptAndLayoutMs: number; allMs: number }>;
  /** The processor times of its tasks between the first and the last mark of a name, milliseconds. */
  tasks(mark: string): number[];
}

/**
 * Records what the main thread of a page does. Its processor time is the same on a busy machine, where other programs take the time between.
 *
 * @param act sets a `performance.mark` at least once
 * @param mark its name, by which the thread is found
 */
export async function recordMainThread(
  browser: Browser,
  page: Page,
  mark: string,
  act: () => Promise<void>,
): Promise<MainThread> {
  const categories = ['devtools.timeline', 'disabled-by-default-devtools.timeline', 'blink.user_timing'];
  await browser.startTracing(page, { categories });
  await act();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
  const marked = traceEvents.find(({ name }) => name === mark);
  if (!marked) throw new Error(`the trace has no mark ${mark}`);
  const events = traceEvents
    .filter(({ pid, tid }) => pid === marked.pid && tid === marked.tid)
    .toSorted((left, right) => left.ts - right.ts);
  const marks = (name: string) => events.filter((event) => event.name === name);
  return {
    between(from, to) {
      const [start, end] = [events.find(from), events.find(to)];
      if (!start || !end) throw new Error('the trace lacks an event');
      return { cpuMs: ((end.tts ?? 0) - (start.tts ?? 0)) / 1000, wallMs: (end.ts - start.ts) / 1000 };
    },
    steps(name) {
      const ends = marks(name);
      const spent = outermost(events);
      return ends.slice(1).map(({ ts, tts = 0 }, index) => {
        const { ts: from = 0, tts: before = 0 } = ends[index] ?? {};
        const within = spent.filter((event) => event.ts >= from && event.ts < ts);
        const sum = within.reduce((total, { tdur = 0 }) => total + tdur, 0);
        return { scriptAndLayoutMs: sum / 1000, allMs: (tts - before) / 1000 };
      });
    },
    tasks(name) {
      const [first, last] = [marks(name)[0], marks(name).at(-1)];
      const within = ({ ts }: TraceEvent) => ts >= (first?.ts ?? 0) && ts <= (last?.ts ?? 0);
      return events.filter((event) => event.name === 'RunTask' && within(event)).map(({ tdur = 0 }) => tdur / 1000);
    },
  };
}

/** What is script, styles or layout, each inside none of the others. */
function outermost(events: readonly TraceEvent[]): TraceEvent[] {
  const wanted = new Set(['FunctionCall', 'FireAnimationFrame', 'RunMicrotasks', 'EventDispatch', 'UpdateLayoutTree', 'Layout']);
  const found: TraceEvent[] = [];
  for (const event of events) {
    const last = found.at(-1);
    const isWithin = last !== undefined && event.ts < last.ts + (last.dur ?? 0);
    if (wanted.has(event.name) && event.dur !== undefined && !isWithin) found.push(event);
  }
  return found;
}

/** The end of the first answer to a request whose address matches. */
export function answerEnds(url: RegExp): (event: TraceEvent) => boolean {
  const asked = new Set<string>();
  return ({ name, args: { data } }) => {
    if (name === 'ResourceSendRequest' && data?.requestId !== undefined && url.test(data.url ?? '')) asked.add(data.requestId);
    return name === 'ResourceFinish' && asked.has(data?.requestId ?? '');
  };
}
