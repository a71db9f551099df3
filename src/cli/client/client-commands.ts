import type { Command } from 'commander';
import { callsCommand } from './calls.ts';
import type { CommandIo } from './command-io.ts';
import { datasetCommand } from './dataset.ts';
import { gateCommand } from './gate.ts';
import { loginCommand, logoutCommand } from './login.ts';
import { policyCommand } from './policy.ts';
import { promptCommand } from './prompt.ts';
import { queryCommand } from './query.ts';
import { simulateCommand } from './simulate.ts';
import { traceCommand } from './trace.ts';
import { tracesCommand } from './traces.ts';
import { verifyPackCommand } from './verify-pack.ts';
import { whoamiCommand } from './whoami.ts';

/** The commands that speak to a running service or need none: those of the service's command line and of the SDK's package. */
export function clientCommands(io: CommandIo): Command[] {
  return [
    loginCommand(io),
    logoutCommand(io),
    whoamiCommand(io),
    tracesCommand(io),
    traceCommand(io),
    callsCommand(io),
    queryCommand(io),
    promptCommand(io),
    datasetCommand(io),
    simulateCommand(io),
    gateCommand(io),
    policyCommand(io),
    verifyPackCommand(io),
  ];
}
