import { clientConfigOfProcess } from '../../client-config.ts';
import type { ClientConfig } from '../../client-config.ts';
import { processProgress } from './terminal/progress.ts';
import type { Progress } from './terminal/progress.ts';
import { processTerminal } from './terminal/terminal.ts';
import type { Terminal } from './terminal/terminal.ts';

/** What the commands read and write, and how they wait. */
export interface CommandIo {
  environment: ClientConfig;
  terminal: Terminal;
  progress: Progress;
  /** Waits so many milliseconds. */
  delay(ms: number): Promise<void>;
  /** Milliseconds since 1970. */
  now(): number;
}

/** Environment, terminal and clock of this process. */
export function processIo(): CommandIo {
  const environment = clientConfigOfProcess();
  return {
    environment,
    terminal: processTerminal(environment.colors),
    progress: processProgress(),
    delay: (ms) => new Promise((resolve) => void setTimeout(resolve, ms)),
    now: () => Date.now(),
  };
}
