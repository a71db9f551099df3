import { pino } from 'pino';
import type { Logger } from 'pino';
import type { App } from './app.ts';
import { configOfProcess } from './config.ts';
import type { Config } from './config.ts';
import { openEarlyStores } from './early-stores.ts';
import { greeting } from './greeting.ts';

/** Longest that a drain may take before the process ends all the same: when it is told to end, and when its starter is gone. */
const patientMs = 25_000;
const hurriedMs = 2_000;

/** Runs the service until SIGTERM or SIGINT, or until the process that started it goes away. */
export async function serve(): Promise<void> {
  const config = configOfProcess();
  const log = pino({
    level: config.logLevel,
    redact: ['req.headers', 'headers'],
    timestamp: pino.stdTimeFunctions.isoTime,
  });
  const starting = start(config, log);
  let ending = false;
  const end = (drainMs: number) => () => {
    if (ending) return;
    ending = true;
    setTimeout(() => process.exit(1), drainMs).unref();
    // A process that is told to end while it starts ends as soon as it has started.
    starting
      .then((app) => app.close())
      .then(
        () => process.exit(0),
        () => process.exit(1),
      );
  };
  process.on('SIGTERM', end(patientMs));
  process.on('SIGINT', end(patientMs));
  // Started by scripts/run.mjs, which holds the other end: when that is killed, nobody else would end this process, and the next one
  // waits for the data directory. What was acknowledged is in the log.
  process.on('disconnect', end(hurriedMs));
  const app = await starting;
  if (!ending) process.stdout.write(greeting(app.url, app.firstStart));
}

/** Loads most of the program while PostgreSQL opens: a third of a start. */
async function start(config: Config, log: Logger): Promise<App> {
  const early = await openEarlyStores(config, log);
  const { startApp } = await import('./app.ts');
  return startApp(config, { log, early });
}

if (import.meta.main) {
  serve().catch(async (error: unknown) => {
    const { explain } = await import('./explain.ts');
    process.stderr.write(`spanwise cannot start: ${explain(error)}\n`);
    process.exit(1);
  });
}
