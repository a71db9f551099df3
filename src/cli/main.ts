import { Command } from 'commander';
import { clientCommands } from './client/client-commands.ts';
import { completionCommand } from './client/completion.ts';
import { processIo } from './client/command-io.ts';
import { runProgram } from './client/run-command.ts';

const io = processIo();
const parameters = process.argv.slice(2);
const program = new Command('spanwise')
  .description('Self-hosted observability and governance for applications that call language models')
  .version('1.0.0');
const ofClient = clientCommands(io);
// Loading the service takes longer than most commands that only speak to one.
if (!ofClient.some((command) => command.name() === parameters[0])) {
  const { serviceCommands } = await import('./service-commands.ts');
  program.commandsGroup('Service:');
  for (const command of serviceCommands(io)) program.addCommand(command);
}
program.commandsGroup('Through a running service:');
for (const command of ofClient) program.addCommand(command);
program.addCommand(completionCommand(program, io));

try {
  await runProgram(program, parameters, io.terminal);
} catch (error) {
  const { startupError } = await import('../startup-error.ts');
  process.stderr.write(`spanwise: ${startupError(error)}\n`);
  process.exit(1);
}
