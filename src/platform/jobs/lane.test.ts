import { expect, test, vi } from 'vitest';
import { Lane } from './lane.ts';

const never = 3_600_000;

/** A lane over a list of work that is let go on one by one. */
function laneOf(concurrency: number, onError: (error: unknown) => void = () => undefined) {
  const queue: string[] = [];
  const running = new Map<string, PromiseWithResolvers<void>>();
  const lane = new Lane({
    concurrency,
    pollMs: never,
    take: (most) =>
      Promise.resolve(
        queue.splice(0, most).map((name) => () => {
          const piece = Promise.withResolvers<void>();
          running.set(name, piece);
          return piece.promise.finally(() => running.delete(name));
        }),
      ),
    onError,
  });
  return { lane, queue, running };
}

test('does as much at once as it may, and goes on as pieces end', async () => {
  const { lane, queue, running } = laneOf(2);
  queue.push('a', 'b', 'c');
  lane.start();
  await vi.waitFor(() => expect([...running.keys()]).toEqual(['a', 'b']));
  running.get('a')?.resolve();
  await vi.waitFor(() => expect([...running.keys()]).toEqual(['b', 'c']));
  for (const piece of running.values()) piece.resolve();
  await lane.stop(never);
  expect(running.size).toBe(0);
});

test('looks when it is woken, and not before it was started', async () => {
  const { lane, queue, running } = laneOf(1);
  queue.push('early');
  lane.wake();
  expect(queue).toEqual(['early']);
  lane.start();
  await vi.waitFor(() => expect([...running.keys()]).toEqual(['early']));
  running.get('early')?.resolve();
  await vi.waitFor(() => expect(running.size).toBe(0));
  queue.push('late');
  lane.wake();
  await vi.waitFor(() => expect([...running.keys()]).toEqual(['late']));
  running.get('late')?.resolve();
  await lane.stop(never);
});

test('tells of a piece that fails, and goes on', async () => {
  const errors: unknown[] = [];
  const { lane, queue, running } = laneOf(1, (error) => errors.push(error));
  queue.push('bad', 'good');
  lane.start();
  await vi.waitFor(() => expect(running.has('bad')).toBe(true));
  running.get('bad')?.reject(new Error('bad'));
  await vi.waitFor(() => expect(running.has('good')).toBe(true));
  expect(errors).toEqual([new Error('bad')]);
  running.get('good')?.resolve();
  await lane.stop(never);
});

test('tells of a look that fails', async () => {
  const errors: unknown[] = [];
  const take = () => Promise.reject(new Error('away'));
  const lane = new Lane({ concurrency: 1, pollMs: never, take, onError: (error) => errors.push(error) });
  lane.start();
  await vi.waitFor(() => expect(errors).toEqual([new Error('away')]));
  await lane.stop(0);
});

test('stops in time when a piece does not end', async () => {
  const { lane, queue, running } = laneOf(1);
  queue.push('endless', 'next');
  lane.start();
  await vi.waitFor(() => expect(running.size).toBe(1));
  await lane.stop(10);
  expect(queue).toEqual(['next']);
  running.get('endless')?.resolve();
});
