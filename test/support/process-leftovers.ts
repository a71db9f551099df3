import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';

export interface WatchedProcess {
  /** Ends the watch; resolves with descriptions of everything added or changed since it began. */
  leftovers(): Promise<string[]>;
}

/**
 * Watches this process for servers, child processes and threads that are not ended, and for changes of its environment, its globals and what is
 * registered with OpenTelemetry's API.
 */
export function watchProcess(): WatchedProcess {
  const handles = activeHandles();
  const surroundings = readSurroundings();
  const globals = readGlobals();
  const threads = new Set<Worker>();
  const onThread = (message: unknown) => {
    const { worker } = message as { worker: Worker };
    threads.add(worker);
    worker.once('exit', () => threads.delete(worker));
  };
  subscribe('worker_threads', onThread);
  return {
    async leftovers() {
      unsubscribe('worker_threads', onThread);
      // A closed handle disappears in the next turn of the event loop.
      for (let turn = 0; turn < 3; turn++) await nextTurn();
      const more = Object.entries(activeHandles()).flatMap(([name, count]) => {
        const added = count - (handles[name] ?? 0);
        return added > 0 ? [`${added} ${name}`] : [];
      });
      const now = readSurroundings();
      const changed = [...new Set([...surroundings.keys(), ...now.keys()])].filter(
        (name) => now.get(name) !== surroundings.get(name),
      );
      const replaced = readGlobals().flatMap((value, index) =>
        value === globals[index] ? [] : [`another ${globalNames[index]}`],
      );
      return [
        ...more,
        ...(threads.size > 0 ? [`${threads.size} threads`] : []),
        ...changed.map((name) => `another ${name}`),
        ...replaced,
      ];
    },
  };
}

function activeHandles(): Record<string, number> {
  const active = process.getActiveResourcesInfo();
  const count = (type: string) => active.filter((one) => one === type).length;
  return { 'listening servers': count('TCPServerWrap') + count('PipeServerWrap'), 'child processes': count('ProcessWrap') };
}

function readSurroundings(): Map<string, string | undefined> {
  return new Map([
    ['working directory', process.cwd()],
    ['OpenTelemetry', registeredWithOpenTelemetry()],
    ...Object.entries(process.env).map(([name, value]): [string, string | undefined] => [`variable ${name}`, value]),
  ]);
}

/** What `@opentelemetry/api` keeps in the process: names of the providers and managers that are registered. */
function registeredWithOpenTelemetry(): string {
  const api = Reflect.get(globalThis, Symbol.for('opentelemetry.js.api.1')) as Record<string, unknown> | undefined;
  return ['trace', 'context', 'propagation', 'metrics', 'logs'].filter((name) => api?.[name] !== undefined).join();
}

const globalNames = ['Date', 'fetch', 'setTimeout', 'setInterval', 'setImmediate', 'console'] as const;

function readGlobals(): unknown[] {
  return globalNames.map((name) => Reflect.get(globalThis, name) as unknown);
}
