import { expect, test, vi } from 'vitest';
import { WorkerPool } from './worker-pool.ts';

const never = 3_600_000;

/** A pool over a list of tasks that end when the test says so. */
function poolOf(concurrency: number, onError: (error: unknown) => void = () => undefined) {
  const queue: string[] = [];
  const running = new Map<string, PromiseWithResolvers<void>>();
  const pool = new WorkerPool({
    concurrency,
    pollMs: never,
    take: (max) =>
      Promise.resolve(
        queue.splice(0, max).map((name) => () => {
          const task = Promise.withResolvers<void>();
          running.set(name, task);
          return task.promise.finally(() => running.delete(name));
        }),
      ),
    onError,
  });
  return { pool, queue, running };
}

test('runs up to its concurrency and continues as tasks end', async () => {
  const { pool, queue, running } = poolOf(2);
  queue.push('a', 'b', 'c');
  pool.start();
  await vi.waitFor(() => expect([...running.keys()]).toEqual(['a', 'b']), 30_000);
  running.get('a')?.resolve();
  await vi.waitFor(() => expect([...running.keys()]).toEqual(['b', 'c']), 30_000);
  for (const task of running.values()) task.resolve();
  await pool.stop(never);
  expect(running.size).toBe(0);
});

test('polls when woken, but not before start', async () => {
  const { pool, queue, running } = poolOf(1);
  queue.push('early');
  pool.wake();
  expect(queue).toEqual(['early']);
  pool.start();
  await vi.waitFor(() => expect([...running.keys()]).toEqual(['early']), 30_000);
  running.get('early')?.resolve();
  await vi.waitFor(() => expect(running.size).toBe(0), 30_000);
  queue.push('late');
  pool.wake();
  await vi.waitFor(() => expect([...running.keys()]).toEqual(['late']), 30_000);
  running.get('late')?.resolve();
  await pool.stop(never);
});

test('reports a task that fails and continues', async () => {
  const errors: unknown[] = [];
  const { pool, queue, running } = poolOf(1, (error) => errors.push(error));
  queue.push('bad', 'good');
  pool.start();
  await vi.waitFor(() => expect(running.has('bad')).toBe(true), 30_000);
  running.get('bad')?.reject(new Error('bad'));
  await vi.waitFor(() => expect(running.has('good')).toBe(true), 30_000);
  expect(errors).toEqual([new Error('bad')]);
  running.get('good')?.resolve();
  await pool.stop(never);
});

test('reports a poll that fails', async () => {
  const errors: unknown[] = [];
  const take = () => Promise.reject(new Error('away'));
  const pool = new WorkerPool({ concurrency: 1, pollMs: never, take, onError: (error) => errors.push(error) });
  pool.start();
  await vi.waitFor(() => expect(errors).toEqual([new Error('away')]), 30_000);
  await pool.stop(0);
});

test('stops within its grace when a task does not end', async () => {
  const { pool, queue, running } = poolOf(1);
  queue.push('endless', 'next');
  pool.start();
  await vi.waitFor(() => expect(running.size).toBe(1), 30_000);
  await pool.stop(10);
  expect(queue).toEqual(['next']);
  running.get('endless')?.resolve();
});
