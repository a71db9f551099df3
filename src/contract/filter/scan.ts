import { FilterError } from './filter-error.ts';
import type { WrittenValue } from './read-value.ts';

const blank = /\s/;
const isBlank = (character: string | undefined) => character !== undefined && blank.test(character);
/** What ends a word. */
const ends = (character: string | undefined) =>
  character === undefined || character === '(' || character === ')' || character === '"' || isBlank(character);

/** Reads the text of a filter from left to right. Each character is read a bounded number of times. */
export class Scanner {
  readonly text: string;
  at = 0;
  /** Places outside of quotation marks from which no name of a field goes on to a colon: each is found once, however often a name begins before it. */
  readonly #nameless = new Set<number>();

  constructor(text: string) {
    this.text = text;
  }

  skipBlanks(): void {
    while (isBlank(this.text[this.at])) this.at++;
  }

  get isAtEnd(): boolean {
    return this.at >= this.text.length;
  }

  /** Whether the text goes on with a character, which is then read. */
  takes(character: string): boolean {
    if (this.text[this.at] !== character) return false;
    this.at++;
    return true;
  }

  /** Whether a keyword stands here as a word of its own, which is then read. */
  takesWord(keyword: string): boolean {
    if (!this.text.startsWith(keyword, this.at) || !ends(this.text[this.at + keyword.length])) return false;
    this.at += keyword.length;
    return true;
  }

  /** Reads a word up to a blank, a parenthesis or a quotation mark. */
  word(): string {
    const start = this.at;
    while (!ends(this.text[this.at])) this.at++;
    return this.text.slice(start, this.at);
  }

  /** Reads a text in quotation marks, which stands here. Errors: {@link FilterError} where it does not end. */
  quoted(): string {
    const start = this.at++;
    let text = '';
    for (; !this.isAtEnd; this.at++) {
      const character = this.text[this.at];
      if (character === '"') {
        this.at++;
        return text;
      }
      const next = this.text[this.at + 1];
      if (character === '\\' && (next === '"' || next === '\\')) this.at++;
      text += this.text[this.at];
    }
    throw new FilterError('The quotation mark is not closed.', { start, end: this.text.length });
  }

  /**
   * Reads the name of a field with its colon: its parts between dots, of which some may stand in quotation marks. null, and nothing is read, where no colon
   * follows.
   */
  fieldName(): { parts: string[]; start: number; end: number } | null {
    const start = this.at;
    const parts = [''];
    const passed: number[] = [];
    for (;;) {
      const character = this.text[this.at];
      passed.push(this.at);
      if (character === ':' && this.at > start) {
        const name = { parts, start, end: this.at };
        this.at++;
        return name;
      }
      if (character === '"' && this.text[this.at - 1] === '.' && parts.at(-1) === '') {
        parts[parts.length - 1] = this.quoted();
      } else if (ends(character) || character === ':' || this.#nameless.has(this.at)) {
        for (const place of passed) this.#nameless.add(place);
        this.at = start;
        return null;
      } else {
        if (character === '.') parts.push('');
        else parts.push((parts.pop() ?? '') + (character ?? ''));
        this.at++;
      }
    }
  }

  /** Reads a value, with its comparison and its stars. Errors: {@link FilterError} for a missing value and for a star within it. */
  value(): WrittenValue {
    const start = this.at;
    const [comparison = ''] = /^(?:>=|<=|>|<)/.exec(this.text.slice(start, start + 2)) ?? [];
    this.at += comparison.length;
    const value = this.text[this.at + 1] === '"' && this.text[this.at] === '*' ? this.#starredQuote(true) : this.#plain();
    if (value.text === '' && !value.isQuoted && !value.startStar) {
      throw new FilterError('A value is missing here.', { start, end: Math.max(this.at, Math.min(start + 1, this.text.length)) });
    }
    return { ...value, comparison: comparison as WrittenValue['comparison'], start, end: this.at };
  }

  #plain(): Pick<WrittenValue, 'text' | 'isQuoted' | 'startStar' | 'endStar'> {
    if (this.text[this.at] === '"') return this.#starredQuote(false);
    const start = this.at;
    const word = this.word();
    if (word === '*') return { text: '', isQuoted: false, startStar: true, endStar: true };
    const startStar = word.startsWith('*');
    const endStar = word.endsWith('*') && !word.endsWith(String.raw`\*`);
    const within = word.slice(startStar ? 1 : 0, endStar ? -1 : undefined);
    const text = within.replaceAll(/\\\*|\*/g, (star) => {
      if (star !== '*') return '*';
      const message = String.raw`A star stands at the beginning or the end of a value; write \* for the character.`;
      throw new FilterError(message, { start, end: this.at });
    });
    return { text, isQuoted: false, startStar, endStar };
  }

  #starredQuote(startStar: boolean): Pick<WrittenValue, 'text' | 'isQuoted' | 'startStar' | 'endStar'> {
    if (startStar) this.at++;
    const text = this.quoted();
    return { text, isQuoted: true, startStar, endStar: this.takes('*') };
  }
}
