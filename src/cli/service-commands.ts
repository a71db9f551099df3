import type { Command } from 'commander';
import { backupCommand } from './backup.ts';
import { catalogueCommand } from './catalogue.ts';
import type { CommandIo } from './client/command-io.ts';
import { doctorCommand } from './doctor.ts';
import { keyCommand } from './key.ts';
import { orgCommand } from './org.ts';
import { restoreCommand } from './restore.ts';
import { seedCommand } from './seed.ts';
import { serveCommand } from './serve.ts';
import { userCommand } from './user.ts';

/** The commands that run the service or open its stores. */
export function serviceCommands(io: CommandIo): Command[] {
  return [
    serveCommand(),
    seedCommand(io),
    keyCommand(),
    orgCommand(),
    userCommand(),
    catalogueCommand(),
    doctorCommand(),
    backupCommand(),
    restoreCommand(),
  ];
}
