import type { Logger } from 'pino';
import type { App } from './app.ts';
import { configOfProcess } from './config.ts';
import type { Config } from './config.ts';
import { openLog } from './platform/log/index.ts';
import { preopenStores } from './preopen.ts';
import { startupBanner } from './startup-banner.ts';

/** Milliseconds after which the process ends although it has not drained: after a signal, and after its parent process has gone. */
const patientMs = 25_000;
const hurriedMs = 2_000;

/** Runs the service until SIGTERM or SIGINT, or until the process that started it goes away. */
export async function serve(): Promise<void> {
  const config = configOfProcess();
  const log = openLog(config.logLevel);
  const starting = start(config, log);
  let ending = false;
  const end = (drainMs: number) => () => {
    if (ending) return;
    ending = true;
    killAfter(drainMs, log);
    // A signal during startup takes effect when startup has finished.
    starting
      .then((app) => app.close())
      .then(
        () => process.exit(0),
        (error: unknown) => {
          log.error({ err: error }, 'the service did not start, or could not be closed');
          process.exit(1);
        },
      );
  };
  process.on('SIGTERM', end(patientMs));
  process.on('SIGINT', end(patientMs));
  // The IPC channel to scripts/run.mjs: when that is killed, this process must end, or it keeps the data directory locked.
  process.on('disconnect', end(hurriedMs));
  const app = await starting;
  if (!ending) process.stdout.write(startupBanner(app.url, app.features.identity.firstStart));
}

/**
 * Kills this process after a time unless it has ended by itself. `process.exit` would wait for the statements that the embedded ClickHouse runs, which may be ten minutes. A kill
 * loses nothing that was acknowledged.
 */
export function killAfter(ms: number, log: Pick<Logger, 'error'>): void {
  setTimeout(() => {
    log.error(
      { afterMs: ms },
      'the service did not stop in time and is killed; events that are not in ClickHouse stay in the log',
    );
    process.kill(process.pid, 'SIGKILL');
  }, ms).unref();
}

/** Loads most of the program while PostgreSQL opens; saves a third of the startup time. */
async function start(config: Config, log: Logger): Promise<App> {
  const preopened = await preopenStores(config, log);
  const { startApp } = await import('./app.ts');
  return startApp(config, { log, preopened });
}

/** The service has no options: an argument is a mistake, which must not start it with other settings than were meant. */
function refuseArguments(given: readonly string[]): void {
  if (given.length === 0) return;
  process.stderr.write(
    `spanwise takes no arguments when it starts the service, but was given: ${given.join(' ')}. Settings are environment variables (README, "Configuration").\n`,
  );
  process.exit(1);
}

if (import.meta.main) {
  refuseArguments(process.argv.slice(2));
  serve().catch(async (error: unknown) => {
    const { startupError } = await import('./startup-error.ts');
    process.stderr.write(`spanwise cannot start: ${startupError(error)}\n`);
    process.exit(1);
  });
}
