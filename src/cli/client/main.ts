import { inspect } from 'node:util';
import { clientProgram } from './client-program.ts';
import { processIo } from './command-io.ts';
import { runProgram } from './run-command.ts';

// The command `spanwise` of the SDK's package: bundled into packages/sdk/dist/cli.js.
const io = processIo();
try {
  await runProgram(clientProgram(io), process.argv.slice(2), io.terminal);
} catch (error) {
  process.stderr.write(`spanwise: ${inspect(error)}\n`);
  process.exit(1);
}
