import type { Command } from 'commander';

interface CompletedOption {
  /** `--status`; also `-h`. */
  names: string[];
  description: string;
  takesValue: boolean;
  /** Values, if it takes one of a few. */
  choices: readonly string[];
}

/** What can follow the names of a command. */
export interface Place {
  /** The names of the command, each with a space before it; empty for the program. */
  path: string;
  commands: Array<{ name: string; description: string }>;
  options: CompletedOption[];
  /** Values of the first argument, if it takes one of a few. */
  values: readonly string[];
}

/** The program and each of its commands. */
export function placesOf(command: Command, path = ''): Place[] {
  const help = command.createHelp();
  const commands = help.visibleCommands(command);
  const place: Place = {
    path,
    commands: commands.map((one) => ({ name: one.name(), description: one.description() })),
    options: help.visibleOptions(command).map(({ short, long, description, required, optional, argChoices }) => ({
      names: [long, short].filter((name) => name !== undefined),
      description,
      takesValue: required || optional,
      choices: argChoices ?? [],
    })),
    values: command.registeredArguments[0]?.argChoices ?? [],
  };
  // The command `help` is made when it is shown, and has nothing of its own.
  return [place, ...command.commands.flatMap((one) => placesOf(one, `${path} ${one.name()}`))];
}
