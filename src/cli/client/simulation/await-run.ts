import type { BatchRun } from '../../../contract/simulations.ts';
import { Refusal } from '../service/refusal.ts';
import type { CommandIo } from '../command-io.ts';
import type { ProjectClient } from '../service/find-service.ts';

/** Milliseconds between two looks at a run: the first ones are quick, for short runs. */
const pollMs = [250, 500, 1_000, 2_000];
/** Looks that may fail one after the other, for a service that is restarted meanwhile. */
const maxFailures = 15;

/** Milliseconds before the next look. @param looks made so far */
export function pollAfter(looks: number): number {
  return pollMs[Math.min(looks, pollMs.length - 1)] ?? 0;
}

/** Asks again while the service does not answer. Errors: {@link Refusal} of the last attempt, and of what the service refuses. */
export async function patiently<T>({ delay }: Pick<CommandIo, 'delay'>, ask: () => Promise<T>): Promise<T> {
  for (let failures = 0; ;) {
    try {
      return await ask();
    } catch (error) {
      failures += 1;
      const { status } = error instanceof Refusal ? error.detail : {};
      const mayPass = error instanceof Refusal && (status === undefined || status === 503 || status === 429);
      if (!mayPass || failures >= maxFailures) throw error;
      await delay(pollAfter(failures));
    }
  }
}

/** Polls a run until it has ended, with a progress bar. Errors: {@link Refusal}. */
export async function awaitRun(io: CommandIo, { client, path }: ProjectClient, runId: string): Promise<BatchRun> {
  for (let looks = 0; ; looks += 1) {
    const { batchRun } = await patiently(io, () =>
      client.json<{ batchRun: BatchRun }>('GET', path(`/simulations/batch-runs/${encodeURIComponent(runId)}`)),
    );
    if (batchRun.status !== 'queued' && batchRun.status !== 'running') {
      io.progress.end();
      return batchRun;
    }
    io.progress.show(batchRun);
    await io.delay(pollAfter(looks));
  }
}
