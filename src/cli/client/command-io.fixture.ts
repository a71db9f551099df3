import type { ClientConfig } from '../../client-config.ts';
import { clientProgram } from './client-program.ts';
import type { CommandIo } from './command-io.ts';
import { runProgram } from './run-command.ts';
import { RecordedTerminal } from './terminal/recorded-terminal.fixture.ts';

/** The environment of a command without any variable. */
const noVariables: ClientConfig = {
  url: null,
  token: null,
  apiKey: null,
  project: null,
  colors: false,
  urlOfThisMachine: 'http://127.0.0.1:1',
  loginFile: '/nonexistent/spanwise/config.json',
  stepSummary: null,
  startedIn: null,
};

interface RecordedRun extends Partial<Omit<CommandIo, 'environment' | 'terminal'>> {
  environment?: Partial<ClientConfig>;
  terminal?: RecordedTerminal;
}

/** A terminal that records, without variables and without waiting. */
export function recordedIo({ environment, terminal = new RecordedTerminal(), ...others }: RecordedRun = {}): CommandIo & {
  terminal: RecordedTerminal;
} {
  return {
    environment: { ...noVariables, ...environment },
    progress: { show: () => undefined, end: () => undefined },
    delay: () => new Promise((resolve) => void setImmediate(resolve)),
    now: () => Date.now(),
    ...others,
    terminal,
  };
}

/** Runs the command line as the SDK's package does, with a terminal that records it. */
export async function runClient(parameters: readonly string[], run: RecordedRun = {}): Promise<RecordedTerminal> {
  const io = recordedIo(run);
  await runProgram(clientProgram(io), parameters, io.terminal);
  return io.terminal;
}
