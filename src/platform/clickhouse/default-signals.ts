import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { isMainThread } from 'node:worker_threads';

/** Signals of a fault or of `abort()`: the process has nothing left to do. */
const fatal = ['SIGABRT', 'SIGSEGV', 'SIGBUS', 'SIGILL', 'SIGFPE', 'SIGTRAP', 'SIGQUIT'] as const;

/**
 * Gives the fatal signals back to the kernel, which ends the process at once. The embedded ClickHouse takes them when its engine is opened; its handler
 * writes a trace and sleeps for five minutes, in which the port stays open and nothing answers. Node has no call for it: removing the last listener
 * of a signal makes libuv restore the default action.
 */
export function restoreDefaultSignals(): void {
  if (!isMainThread || process.platform === 'win32') return;
  const listener = (): void => undefined;
  for (const signal of fatal) process.on(signal, listener).off(signal, listener);
}

/** The fatal signals that something in this process catches, so that it would not end by them; none on systems other than Linux, which do not say. */
export function caughtFatalSignals(): string[] {
  if (process.platform !== 'linux') return [];
  const mask = BigInt(`0x${/^SigCgt:\s*(\w+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0'}`);
  return fatal.filter((signal) => (mask >> BigInt(constants.signals[signal] - 1)) & 1n);
}
