import { afterAll, describe, expect, test } from 'vitest';
import { ServiceError } from '../../contract/errors.ts';
import type { EchoFunctions, EchoParent } from './echo-worker.fixture.ts';
import { WorkerThread, withTransfer } from './index.ts';

type EchoThread = WorkerThread<EchoFunctions, EchoParent>;

const said: string[] = [];
const started: EchoThread[] = [];

function start(program = './echo-worker.fixture.ts'): EchoThread {
  const thread: EchoThread = new WorkerThread(new URL(program, import.meta.url), {
    name: 'the echo thread',
    workerData: { given: 1 },
    functions: {
      double: (value) =>
        Number.isNaN(value) ? Promise.reject(new ServiceError('conflict', 'NaN cannot be doubled.')) : Promise.resolve(2 * value),
      said: (text) => void said.push(text),
    },
  });
  started.push(thread);
  return thread;
}

afterAll(() => Promise.all(started.map((thread) => thread.terminate())));
const thread = start();

const errorOf = (work: Promise<unknown>): Promise<Error> =>
  work.then(
    () => new Error('it did not fail'),
    (error: unknown) => error as Error,
  );

describe('a call', () => {
  test('returns the result of the function', async () => {
    expect(await thread.call('data')).toEqual({ given: 1 });
    const value = { text: 'a\ud800', big: 2n ** 64n, date: new Date(5), bytes: Uint8Array.of(1, 2), none: undefined };
    expect(await thread.call('echo', value)).toEqual(value);
    expect(await thread.call('echo', undefined)).toBeUndefined();
    expect(await thread.call('echo', null)).toBeNull();
  });

  test('receives its own result when results arrive in another order', async () => {
    const order: string[] = [];
    const slow = thread.call('ask', 21).then((answer) => order.push(`slow ${answer}`));
    const quick = [1, 2, 3].map((number) => thread.call('echo', number).then((answer) => order.push(`quick ${answer}`)));
    await Promise.all([slow, ...quick]);
    expect(order).toEqual(['quick 1', 'quick 2', 'quick 3', 'slow 42']);
  });

  test('transfers buffers in both directions', async () => {
    const bytes = new Uint8Array(100_000).fill(3);
    const answer = await thread.call('echo', withTransfer({ bytes }, [bytes.buffer]));
    expect(bytes.length).toBe(0);
    expect(answer).toEqual({ bytes: new Uint8Array(100_000).fill(3) });
    expect(await thread.call('bytes', 100_000)).toEqual(new Uint8Array(100_000).fill(7));
    expect(await thread.call('left')).toBe(0);
  });

  test('may be made by the thread to its parent', async () => {
    expect(await Promise.all([1, 2, 3].map((number) => thread.call('ask', number)))).toEqual([2, 4, 6]);
  });

  test('is not waited for when it is a notice', async () => {
    await thread.call('say', 'hello');
    expect(said).toEqual(['hello']);
  });
});

describe('an error', () => {
  test('keeps its name, message, stack, code and causes', async () => {
    const error = await errorOf(thread.call('fail', 'system'));
    expect(error).toMatchObject({
      name: 'Error',
      message: 'cannot write',
      cause: { name: 'RangeError', message: 'no space left' },
    });
    expect(error.cause).toBeInstanceOf(Error);
    expect(error.cause).toHaveProperty('code', 'ENOSPC');
    expect(error).not.toHaveProperty('code');
    expect(error.stack).toContain('echo-worker.fixture.ts');
  });

  test('stays a ServiceError', async () => {
    const error = await errorOf(thread.call('fail', 'service'));
    expect(error).toBeInstanceOf(ServiceError);
    expect(error).toMatchObject({ code: 'unavailable', status: 503, retryAfterSeconds: 7, message: 'Try again.' });
    expect(error.cause).toHaveProperty('code', 'ENOSPC');
  });

  test('of the parent reaches the thread, and comes back from it', async () => {
    const error = await errorOf(thread.call('fail', 'parent'));
    expect(error).toBeInstanceOf(ServiceError);
    expect(error).toMatchObject({ code: 'conflict', message: 'NaN cannot be doubled.' });
  });

  test('that is not an Error is converted to one', async () => {
    expect(await errorOf(thread.call('fail', 'text'))).toMatchObject({ name: 'Error', message: 'only text' });
  });

  test('is returned when an argument or a result cannot be cloned', async () => {
    expect((await errorOf(thread.call('echo', () => 1))).message).toContain('could not be cloned');
    expect((await errorOf(thread.call('fail', 'unclonable'))).message).toContain('could not be cloned');
    expect(await thread.call('echo', 1)).toBe(1);
  });
});

describe('when the thread ends', () => {
  const ends: ReadonlyArray<[how: string, end: (ending: EchoThread) => unknown, error: object]> = [
    ['by itself', (ending) => ending.call('exit'), { message: 'the echo thread has ended' }],
    ['by an error', (ending) => ending.call('crash'), { name: 'RangeError', message: 'crashed' }],
    ['by its owner', (ending) => ending.terminate(new Error('no longer needed')), { message: 'no longer needed' }],
  ];

  test.each(ends)('%s, every call is rejected, pending and later', async (_how, end, expected) => {
    const ending = start();
    expect(ending.failure).toBeNull();
    const pending = [errorOf(ending.call('sleep')), errorOf(ending.call('sleep'))];
    await Promise.allSettled([end(ending)]);
    for (const error of await Promise.all(pending)) expect(error).toMatchObject(expected);
    expect(ending.failure).toMatchObject(expected);
    expect(await errorOf(ending.call('echo', 1))).toBe(ending.failure);
  });

  test('because its program cannot be loaded, calls are rejected', async () => {
    const missing = start('./missing.fixture.ts');
    expect((await errorOf(missing.call('echo', 1))).message).toContain('missing.fixture.ts');
    expect(missing.failure).not.toBeNull();
  });

  test('a call that exceeds its time limit terminates it, even in a loop', async () => {
    const busy = start();
    const error = new Error('too long');
    expect(await busy.callWithin({ ms: 60_000, error }, 'echo', 1)).toBe(1);
    const pending = busy.callWithin({ ms: 20, error }, 'spin');
    const waiting = errorOf(busy.call('echo', 2));
    expect(await errorOf(pending)).toBe(error);
    expect(await waiting).toBe(error);
  });
});
