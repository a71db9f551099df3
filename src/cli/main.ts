import { Command } from 'commander';
import { backupCommand } from './backup.ts';
import { catalogueCommand } from './catalogue.ts';
import { datasetCommand } from './dataset.ts';
import { doctorCommand } from './doctor.ts';
import { keyCommand } from './key.ts';
import { orgCommand } from './org.ts';
import { policyCommand } from './policy.ts';
import { restoreCommand } from './restore.ts';
import { seedCommand } from './seed.ts';
import { serveCommand } from './serve.ts';
import { userCommand } from './user.ts';
import { startupError } from '../startup-error.ts';

const program = new Command('spanwise')
  .description('Self-hosted observability and governance for applications that call language models')
  .version('1.0.0');
for (const command of [
  serveCommand(),
  seedCommand(),
  keyCommand(),
  orgCommand(),
  userCommand(),
  datasetCommand(),
  policyCommand(),
  catalogueCommand(),
  doctorCommand(),
  backupCommand(),
  restoreCommand(),
])
  program.addCommand(command);

try {
  await program.parseAsync();
} catch (error) {
  process.stderr.write(`spanwise: ${startupError(error)}\n`);
  process.exit(1);
}
