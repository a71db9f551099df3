import { createInterface } from 'node:readline/promises';
import { styleText } from 'node:util';

/** The terminal of a command: output, questions and the exit code. */
export interface Terminal {
  /** Writes a line to standard output. */
  print(line: string): void;
  /** Writes a line to standard error. */
  warn(line: string): void;
  /** Whether questions can be asked: standard input and error are terminals. */
  readonly canAsk: boolean;
  /** Whether standard output shows colours. */
  readonly hasColors: boolean;
  /** Asks, and returns the answer without spaces around it. */
  ask(question: string): Promise<string>;
  /** Asks for a text in an input field; a secret is shown as dots. @returns null where the user cancelled */
  type(question: string, field: { initial?: string; isSecret?: boolean }): Promise<string | null>;
  /** Standard input to its end, at most 64 KiB of it. */
  readInput(): Promise<string>;
  /** Sets the exit code of the process. */
  exit(code: number): void;
}

/** Characters of standard input that are read. */
const maxInput = 65_536;

/** The terminal of this process. @param colors whether colours are wanted where they can be shown */
export function processTerminal(colors: boolean): Terminal {
  let watched = false;
  return {
    print(line) {
      if (!watched) process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => onOutputError(code));
      watched = true;
      process.stdout.write(`${line}\n`);
    },
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
    async type(question, { initial, isSecret = false }) {
      // Loaded when somebody is asked.
      const { isCancel, password, text } = await import('@clack/prompts');
      const output = process.stderr;
      const answer = isSecret
        ? await password({ message: question, output })
        : await text({ message: question, output, ...(initial === undefined ? {} : { initialValue: initial }) });
      return isCancel(answer) ? null : answer.trim();
    },
    async readInput() {
      let input = '';
      process.stdin.setEncoding('utf8');
      for await (const part of process.stdin) {
        input += String(part);
        if (input.length > maxInput) break;
      }
      return input.slice(0, maxInput);
    },
    exit(code) {
      process.exitCode = code;
    },
  };
}

/** The reader of the output, such as `head`, may close it early. The command continues then, so that its exit code is that of its result. */
function onOutputError(code: string | undefined): void {
  if (code !== 'EPIPE') process.exit(1);
}

export type Paint = (color: 'green' | 'yellow' | 'red' | 'dim' | 'bold', text: string) => string;

/** Colours texts, or leaves them. */
export function painter(hasColors: boolean): Paint {
  return (color, text) => (hasColors ? styleText(color, text, { validateStream: false }) : text);
}

/** An untrusted text with control and formatting characters escaped, so that it cannot move the cursor. */
export function visible(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `\\u{${code.toString(16)}}`;
  });
}
