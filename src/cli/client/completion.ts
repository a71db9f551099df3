import { Argument, Command } from 'commander';
import type { CommandIo } from './command-io.ts';
import { placesOf } from './completion/places.ts';
import { completionScript, shells } from './completion/scripts.ts';
import type { Shell } from './completion/scripts.ts';
import { exitCodes, reporting } from './run-command.ts';

/**
 * `spanwise completion bash|zsh|fish`: prints a script for a shell.
 *
 * @param program whose commands are completed, with all that it has when the script is printed
 */
export function completionCommand(program: Command, io: CommandIo): Command {
  return new Command('completion')
    .description('Print a script that completes commands and options in a shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(shells))
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nbash, in ~/.bashrc: source <(spanwise completion bash)\nzsh, in ~/.zshrc:   source <(spanwise completion zsh)\nfish:               spanwise completion fish > ~/.config/fish/completions/spanwise.fish',
    )
    .action((shell: Shell, flags: { json?: boolean }) =>
      reporting(io, flags, () => {
        const script = completionScript(shell, program.name(), placesOf(program));
        io.terminal.print(flags.json ? JSON.stringify({ shell, script }) : script.trimEnd());
        return Promise.resolve(exitCodes.done);
      }),
    );
}
