import { Command } from 'commander';
import type { CommandIo } from './command-io.ts';
import { promptServiceOf } from './prompt/prompt-service.ts';
import { pullPrompts } from './prompt/pull.ts';
import { pushPrompts } from './prompt/push.ts';
import { reporting } from './run-command.ts';
import { findService, withServiceOptions } from './service/find-service.ts';
import type { ServiceFlags } from './service/find-service.ts';

interface PullFlags extends ServiceFlags {
  force?: boolean;
}

interface PushFlags extends PullFlags {
  dryRun?: boolean;
  message?: string;
}

/** `spanwise prompt pull|push`: prompts of a project as files. */
export function promptCommand(io: CommandIo): Command {
  const { environment, terminal } = io;
  const prompt = new Command('prompt').description('Prompts of a project as files, one a prompt');
  withServiceOptions(
    prompt
      .command('pull')
      .description('Write the newest version of every prompt to a file')
      .argument('<dir>', 'the folder of the files; made if it is missing')
      .option('--force', 'also overwrite files that were changed here'),
  )
    .addHelpText('after', '\nExit codes: 0 done, 1 files that were changed here are not overwritten (the others are written).')
    .action((folder: string, { force = false, json = false, ...flags }: PullFlags) =>
      reporting(io, { json }, async () =>
        pullPrompts(terminal, promptServiceOf(await findService(flags, environment)), { folder, json, force }),
      ),
    );
  withServiceOptions(
    prompt
      .command('push')
      .description('Create a version of every prompt whose file differs from the newest, and set labels, tags and folder')
      .argument('<dir>', 'the folder of the files')
      .option('--dry-run', 'show what would be pushed, with differences, and push nothing')
      .option('--message <text>', 'the commit message of new versions')
      .option('--force', 'also push over versions that are newer than the files'),
  )
    .addHelpText('after', '\nExit codes: 0 done, 1 refused: the service has other versions than the files were written from.')
    .action((folder: string, { force = false, json = false, dryRun = false, message = '', ...flags }: PushFlags) =>
      reporting(io, { json }, async () =>
        pushPrompts(terminal, promptServiceOf(await findService(flags, environment)), { folder, json, dryRun, force, message }),
      ),
    );
  return prompt;
}
