import type { Terminal } from './terminal.ts';

/** A terminal that records what a command prints, and answers what it asks. */
export class RecordedTerminal implements Terminal {
  printed: string[] = [];
  warned: string[] = [];
  asked: string[] = [];
  code: number | null = null;
  readonly hasColors: boolean;
  /** The answer to every question; null: there is nobody to ask. */
  readonly #answer: string | null;

  constructor({ answer = null, hasColors = false }: { answer?: string | null; hasColors?: boolean } = {}) {
    this.#answer = answer;
    this.hasColors = hasColors;
  }

  get canAsk(): boolean {
    return this.#answer !== null;
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

  exit(code: number): void {
    this.code = code;
  }
}
