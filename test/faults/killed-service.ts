import type { ChildProcess } from 'node:child_process';
import { startService } from '../support/service.ts';
import type { ServiceOptions } from '../support/service.ts';
import { until } from '../support/until.ts';

/** Milliseconds within which a service reaches its failpoint, also on a machine with other load. */
const patienceMs = 90_000;

/** Resolves when a service has killed itself. Errors: one that ended otherwise, or did not within 90 s. */
export async function isKilled(child: ChildProcess, failpoint: string): Promise<void> {
  await until(`a service is killed at ${failpoint}`, () => child.exitCode !== null || child.signalCode !== null, patienceMs);
  if (child.signalCode !== 'SIGKILL')
    throw new Error(`the service ended with ${child.signalCode ?? child.exitCode}, not at ${failpoint}`);
}

/**
 * Starts a service that continues what the one before was killed at, and resolves when it has killed itself at the next failpoint, be it before it was ready.
 * One process a failpoint, and no other in between: so a job is killed at failpoint after failpoint.
 *
 * Errors: as {@link isKilled}.
 */
export async function startUntilKilled(options: ServiceOptions & { dataDirectory: string }, failpoint: string): Promise<void> {
  let started: ChildProcess | undefined;
  const onChild = (child: ChildProcess) => (started = child);
  const env = { ...options.env, SPANWISE_FAILPOINT: failpoint };
  try {
    const { child } = await startService({ ...options, env, onChild });
    await isKilled(child, failpoint);
  } catch (error) {
    if (started?.signalCode === 'SIGKILL') return;
    started?.kill('SIGKILL');
    throw error;
  }
}
