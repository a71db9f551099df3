import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** Milliseconds of each answer. */
export interface AnswerTimes {
  service: number[];
  /** Of a server that does nothing, asked in turn with the service: how long the machine delays anybody. */
  control: number[];
}

/** What others wait while `work` runs: a process of its own asks the URLs of the service, with a cookie or without. */
export async function answerTimes(urls: readonly string[], work: () => Promise<void>, cookie = ''): Promise<AnswerTimes> {
  const control = fork(join(import.meta.dirname, 'control-program.ts'));
  const port = await message<number>(control);
  const probe = fork(join(import.meta.dirname, 'probe-program.ts'), [cookie, `http://127.0.0.1:${port}`, ...urls]);
  try {
    await message(probe);
    await work();
    const answered = message<number[][]>(probe);
    probe.send('end');
    const [first = [], ...others] = await answered;
    return { service: others.flat(), control: first };
  } finally {
    probe.kill();
    control.kill();
  }
}

/** The next message of a process. Errors: when it exits before. */
async function message<T>(child: ChildProcess): Promise<T> {
  const exited = once(child, 'exit').then(([code]) => {
    throw new Error(`the process ended with ${code}`);
  });
  exited.catch(() => undefined);
  return ((await Promise.race([once(child, 'message'), exited])) as [T])[0];
}

/** The value that a share of the times is at most. */
export function quantile(times: readonly number[], share: number): number {
  return times.toSorted((left, right) => left - right)[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
}
