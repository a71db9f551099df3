import { CommanderError } from 'commander';
import type { Command } from 'commander';
import type { CommandIo } from './command-io.ts';
import { Refusal } from './service/refusal.ts';
import type { Terminal } from './terminal/terminal.ts';

/** Exit codes (docs/cli.md, "Exit codes"). */
export const exitCodes = { done: 0, refused: 1, usage: 2, inconclusive: 3 };

interface Reporting {
  /** By default that of the refusal. */
  exitCodeOf?: (refusal: Refusal) => number;
  /** Further lines about a refusal. */
  explain?: (refusal: Refusal) => readonly string[];
}

/**
 * Runs a command and sets its exit code. A refusal is a line on standard error, and with `--json` an object on standard output too.
 *
 * @param work returns the exit code
 */
export async function reporting(
  { terminal, progress }: CommandIo,
  { json = false }: { json?: boolean },
  work: () => Promise<number>,
  { exitCodeOf = ({ exitCode }) => exitCode, explain = () => [] }: Reporting = {},
): Promise<void> {
  try {
    terminal.exit(await work());
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    progress.end();
    if (json) terminal.print(JSON.stringify({ ...error.detail, error: error.message }));
    terminal.warn(`spanwise: ${error.message}`);
    for (const line of explain(error)) terminal.warn(line);
    terminal.exit(exitCodeOf(error));
  }
}

/**
 * Parses arguments and runs the command that they name. Wrong usage exits with 2, except that `--detailed-exitcode` keeps 2 for changes.
 *
 * @param argv without the program's name
 */
export async function runProgram(program: Command, argv: readonly string[], terminal: Terminal): Promise<void> {
  prepare(program, terminal);
  try {
    await program.parseAsync(argv, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return terminal.exit(exitCodes.done);
    if (argv.includes('--json')) terminal.print(JSON.stringify({ error: error.message.replace(/^error: /, '') }));
    // `command.error()` is the command's own refusal; the other codes are commander's.
    const isUsage = error.code !== 'commander.error' && !argv.includes('--detailed-exitcode');
    terminal.exit(isUsage ? exitCodes.usage : exitCodes.refused);
  }
}

function prepare(command: Command, terminal: Terminal): void {
  command.exitOverride().configureOutput({
    writeOut: (text) => terminal.print(text.replace(/\n$/, '')),
    writeErr: (text) => terminal.warn(text.replace(/\n$/, '')),
  });
  for (const one of command.commands) prepare(one, terminal);
}
