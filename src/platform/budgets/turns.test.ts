import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import { Turns } from './turns.ts';

const errors = { busy: () => new Error('busy'), aborted: () => new Error('aborted') };

/** Work that the test ends. */
function begun(turns: Turns, key: string, signal?: AbortSignal) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const work = { key, started: false, ended: false, error: null as string | null, end: resolve, result: Promise.resolve() };
  work.result = turns
    .run(
      key,
      () => {
        work.started = true;
        return promise;
      },
      signal,
    )
    .then(
      () => void (work.ended = true),
      (error: Error) => void (work.error = error.message),
    );
  return work;
}

/** Waits until every promise that does not depend on the end of work has settled. */
const settled = async () => {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
};

afterEach(() => void vi.useRealTimers());

test('keys take turns: one with much waiting delays another by one', async () => {
  const turns = new Turns({ running: 1, waiting: 100 }, errors);
  const first = begun(turns, 'a');
  const many = Array.from({ length: 5 }, () => begun(turns, 'a'));
  const other = begun(turns, 'b');
  const order: string[] = [];
  for (let work: ReturnType<typeof begun> | undefined = first; work;) {
    work.end();
    await settled();
    work = [...many, other].find(({ started, ended }) => started && !ended);
    if (work) order.push(work.key);
  }
  expect(order).toEqual(['a', 'b', 'a', 'a', 'a', 'a']);
});

test('work that fails gives its place to the next', async () => {
  const turns = new Turns({ running: 1, waiting: 1 }, errors);
  await expect(turns.run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await turns.run('a', () => Promise.resolve(7))).toBe(7);
  expect(turns.load).toEqual({ running: 0, waiting: 0 });
});

test('work that waits for too long is refused', async () => {
  vi.useFakeTimers();
  const turns = new Turns({ running: 1, waiting: 5, waitMs: 1_000 }, errors);
  const [running, waiting] = [begun(turns, 'a'), begun(turns, 'b')];
  await vi.advanceTimersByTimeAsync(1_000);
  expect([running.error, waiting.error, waiting.started]).toEqual([null, 'busy', false]);
  running.end();
  await running.result;
  expect(turns.load).toEqual({ running: 0, waiting: 0 });
});

test('what waits can be refused while what runs goes on', async () => {
  const turns = new Turns({ running: 1, waiting: 5 }, errors);
  const [running, ...waiting] = ['a', 'a', 'b'].map((key) => begun(turns, key));
  turns.refuseWaiting(() => new Error('closing'));
  await settled();
  expect(waiting.map(({ error }) => error)).toEqual(['closing', 'closing']);
  running?.end();
  await running?.result;
  expect(running?.ended).toBe(true);
});

test('the limits hold, and what may run does, in any order of events', async () => {
  const limits = { running: 3, runningOfOne: 2, waiting: 4, waitingOfOne: 3 };
  const event = fc.record({ kind: fc.constantFrom('run', 'end', 'abort'), key: fc.constantFrom('a', 'b', 'c'), at: fc.nat() });
  await fc.assert(
    fc.asyncProperty(fc.array(event, { maxLength: 40 }), async (events) => {
      const turns = new Turns(limits, errors);
      const all: Array<ReturnType<typeof begun> & { abort: AbortController }> = [];
      for (const { kind, key, at } of events) {
        const abort = new AbortController();
        const open = all.filter(({ ended, error }) => !ended && error === null);
        const chosen = open[at % Math.max(open.length, 1)];
        if (kind === 'run') {
          const waitingBefore = open.filter(({ started }) => !started);
          const work = Object.assign(begun(turns, key, abort.signal), { abort });
          all.push(work);
          await settled();
          const isFull =
            waitingBefore.length >= limits.waiting ||
            waitingBefore.filter((one) => one.key === key).length >= limits.waitingOfOne;
          expect(work.error).toBe(work.started || !isFull ? null : 'busy');
        } else if (kind === 'end' && chosen?.started) chosen.end();
        else if (kind === 'abort') chosen?.abort.abort();
        await settled();
        const running = all.filter(({ started, ended }) => started && !ended);
        const waiting = all.filter(({ started, error }) => !started && error === null);
        const runningOf = (name: string) => running.filter((work) => work.key === name).length;
        expect(turns.load).toEqual({ running: running.length, waiting: waiting.length });
        expect(running.length).toBeLessThanOrEqual(limits.running);
        for (const name of ['a', 'b', 'c']) expect(runningOf(name)).toBeLessThanOrEqual(limits.runningOfOne);
        const startable = waiting.filter((work) => runningOf(work.key) < limits.runningOfOne);
        if (running.length < limits.running) expect(startable).toEqual([]);
      }
    }),
    { numRuns: 60 },
  );
});
