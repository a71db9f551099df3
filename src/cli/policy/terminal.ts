import { createInterface } from 'node:readline/promises';
import { styleText } from 'node:util';

/** What a command writes to and asks. */
export interface Terminal {
  /** Writes a line to standard output. */
  print(line: string): void;
  /** Writes a line to standard error. */
  warn(line: string): void;
  /** Whether somebody can be asked. */
  readonly canAsk: boolean;
  /** Whether standard output shows colours. */
  readonly hasColors: boolean;
  /** Asks, and returns the answer without spaces around it. */
  ask(question: string): Promise<string>;
  /** Sets the exit code of the process. */
  exit(code: number): void;
}

/** The terminal of this process. @param colors whether colours are wanted where they can be shown */
export function processTerminal(colors: boolean): Terminal {
  return {
    print: (line) => void process.stdout.write(`${line}\n`),
    warn: (line) => void process.stderr.write(`${line}\n`),
    canAsk: process.stdin.isTTY === true && process.stderr.isTTY === true,
    hasColors: colors && process.stdout.isTTY === true,
    async ask(question) {
      const lines = createInterface({ input: process.stdin, output: process.stderr });
      try {
        // The end of the input is an answer too.
        const ended = new Promise<string>((resolve) => void lines.once('close', () => resolve('')));
        return (await Promise.race([lines.question(question), ended])).trim();
      } finally {
        lines.close();
      }
    },
    exit(code) {
      process.exitCode = code;
    },
  };
}

export type Paint = (color: 'green' | 'yellow' | 'red' | 'dim' | 'bold', text: string) => string;

/** Colours texts, or leaves them. */
export function painter(hasColors: boolean): Paint {
  return (color, text) => (hasColors ? styleText(color, text, { validateStream: false }) : text);
}

/** A text of somebody else with control and formatting characters escaped, so that it cannot move the cursor. */
export function visible(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `\\u{${code.toString(16)}}`;
  });
}
