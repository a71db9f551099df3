import { workerData } from 'node:worker_threads';
import { ServiceError } from '../../contract/errors.ts';
import { serveParent, withTransfer } from './index.ts';

/** A worker for the tests of calls between threads. */
export interface EchoFunctions {
  data(): unknown;
  echo(value: unknown): unknown;
  /** Returns that many bytes in a transferred buffer. */
  bytes(length: number): Uint8Array;
  /** The length in this thread of the last buffer that `bytes` returned. */
  left(): number;
  /** The result of the parent's `double`. */
  ask(value: number): Promise<number>;
  fail(kind: 'system' | 'service' | 'parent' | 'text' | 'unclonable'): unknown;
  sleep(): Promise<never>;
  spin(): never;
  exit(): never;
  crash(): void;
  say(text: string): void;
}

export interface EchoParent {
  double(value: number): Promise<number>;
  said(text: string): void;
}

serveParent<EchoFunctions, EchoParent>((parent) => {
  let last = new Uint8Array();
  return {
    data: () => workerData as unknown,
    echo: (value) => value,
    bytes(length) {
      last = new Uint8Array(length).fill(7);
      return withTransfer(last, [last.buffer]);
    },
    left: () => last.length,
    ask: (value) => parent.call('double', value),
    fail(kind) {
      const full = Object.assign(new RangeError('no space left'), { code: 'ENOSPC' });
      if (kind === 'system') throw new Error('cannot write', { cause: full });
      if (kind === 'service') throw new ServiceError('unavailable', 'Try again.', { retryAfterSeconds: 7, cause: full });
      if (kind === 'parent') return parent.call('double', Number.NaN);
      if (kind === 'unclonable') return () => undefined;
      return Promise.reject('only text');
    },
    sleep: () => new Promise(() => undefined),
    spin() {
      for (;;) Math.random();
    },
    exit: () => process.exit(3),
    crash: () =>
      void setImmediate(() => {
        throw new RangeError('crashed');
      }),
    say: (text) => parent.notify('said', text),
  };
});
