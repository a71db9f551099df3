import type { Terminal } from './terminal.ts';

interface Recorded {
  answer?: string | null;
  hasColors?: boolean;
  typed?: Readonly<Record<string, string | null>>;
  input?: string;
}

/** A terminal that records what a command prints, and answers what it asks. */
export class RecordedTerminal implements Terminal {
  printed: string[] = [];
  warned: string[] = [];
  asked: string[] = [];
  code: number | null = null;
  readonly hasColors: boolean;
  /** The answer to every question; null: there is nobody to ask. */
  readonly #answer: string | null;
  /** What is typed into fields, by what their question contains. */
  readonly #typed: Readonly<Record<string, string | null>>;
  readonly #input: string;

  constructor({ answer = null, hasColors = false, typed = {}, input = '' }: Recorded = {}) {
    this.#answer = answer;
    this.hasColors = hasColors;
    this.#typed = typed;
    this.#input = input;
  }

  get canAsk(): boolean {
    return this.#answer !== null || Object.keys(this.#typed).length > 0;
  }

  get output(): string {
    return this.printed.join('\n');
  }

  get errors(): string {
    return this.warned.join('\n');
  }

  print = (line: string): void => {
    this.printed.push(line);
  };

  warn = (line: string): void => {
    this.warned.push(line);
  };

  ask(question: string): Promise<string> {
    this.asked.push(question);
    return this.#answer === null ? Promise.reject(new Error('Nobody can be asked.')) : Promise.resolve(this.#answer);
  }

  type(question: string, { initial = '' }: { initial?: string }): Promise<string | null> {
    this.asked.push(question);
    const named = Object.entries(this.#typed).find(([part]) => question.includes(part));
    return Promise.resolve(named ? named[1] : initial);
  }

  readInput(): Promise<string> {
    return Promise.resolve(this.#input);
  }

  exit(code: number): void {
    this.code = code;
  }
}
