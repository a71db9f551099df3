import { Command } from 'commander';
import { clientCommands } from './client-commands.ts';
import type { CommandIo } from './command-io.ts';
import { completionCommand } from './completion.ts';

/** The command line of the SDK's package. */
export function clientProgram(io: CommandIo): Command {
  const program = new Command('spanwise').description('Speaks to a running Spanwise service').version('1.0.0');
  for (const command of clientCommands(io)) program.addCommand(command);
  return program.addCommand(completionCommand(program, io));
}
