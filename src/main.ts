import type { Logger } from 'pino';
import type { App } from './app.ts';
import { configOfProcess, unknownVariablesOfProcess } from './config.ts';
import type { Config } from './config.ts';
import { fullDiskError } from './platform/data-directory/index.ts';
import { storeNamed, storeNames } from './platform/installation/index.ts';
import type { StoreName } from './platform/installation/index.ts';
import { openLog } from './platform/log/index.ts';
import { preopenStores } from './preopen.ts';
import { startWatchdog } from './platform/watchdog/index.ts';
import { startupBanner } from './startup-banner.ts';

/** Milliseconds after which the process ends although it has not drained: after a signal, and after its parent process has gone. */
const patientMs = 25_000;
const hurriedMs = 2_000;
/**
 * Milliseconds for which the main thread may stand still, before the watchdog ends the process: while the embedded ClickHouse loads its tables, which
 * blocks; in service, longer than any step of the program and its garbage collection; and while it stops.
 */
const silentMs = { starting: 300_000, serving: 12_000, ending: 30_000 };

/**
 * Runs the service until SIGTERM or SIGINT, or until the process that started it goes away.
 *
 * @param acceptMissing stores of which the operator accepts the loss
 */
export async function serve(acceptMissing: readonly StoreName[] = []): Promise<void> {
  const config = configOfProcess();
  const log = openLog(config.logLevel);
  for (const warning of unknownVariablesOfProcess()) log.warn(warning);
  const watchdog = startWatchdog(silentMs.starting);
  const starting = start(config, log, acceptMissing);
  let ending = false;
  const end = (drainMs: number) => () => {
    if (ending) return;
    ending = true;
    watchdog.setPatience(silentMs.ending);
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
  if (ending) return;
  watchdog.setPatience(silentMs.serving);
  process.stdout.write(startupBanner(app.url, app.features.identity.firstStart));
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
async function start(config: Config, log: Logger, acceptMissing: readonly StoreName[]): Promise<App> {
  try {
    const preopened = await preopenStores(config, log, acceptMissing);
    const { startApp } = await import('./app.ts');
    return await startApp(config, { log, preopened, acceptMissing });
  } catch (error) {
    throw fullDiskError(config.dataDirectory, error) ?? error;
  }
}

const acceptOption = '--accept-missing=';

/**
 * The stores named by `--accept-missing=<store>`, which may be repeated and may name several with commas. Any other argument is a mistake, which must
 * not start the service with other settings than were meant: it ends the process.
 */
function acceptedStores(given: readonly string[]): StoreName[] {
  const accepted = given.map((argument) =>
    argument.startsWith(acceptOption) ? argument.slice(acceptOption.length).split(',').map(storeNamed) : [null],
  );
  const wrong = given.filter((_argument, index) => accepted[index]?.includes(null));
  if (wrong.length === 0) return accepted.flat().filter((store) => store !== null);
  process.stderr.write(
    `spanwise takes no arguments when it starts the service, but was given: ${given.join(' ')}. Settings are environment variables (docs/guides/configuration.md). Only the loss of a store is accepted by one: ${acceptOption}<store>, where <store> is ${storeNames.join(', ')}.\n`,
  );
  return process.exit(1);
}

if (import.meta.main) {
  serve(acceptedStores(process.argv.slice(2))).catch(async (error: unknown) => {
    const { startupError } = await import('./startup-error.ts');
    process.stderr.write(`spanwise cannot start: ${startupError(error)}\n`);
    process.exit(1);
  });
}
