import { foldCase } from './fold-case.ts';
import { plainSeparators } from './plain-separators.ts';
import type { LinearSearch } from './linear-search.ts';
import { composedText } from './composed-text.ts';
import type { MappedText } from './mapped-text.ts';
import type { Program } from './program.ts';
import type { Scanner, Seek } from './scanner.ts';
import type { SetPass } from './set-pass.ts';
import { Trigrams } from './trigrams.ts';

/** Units of the texts for which tables of attempts are used again, and the tables that wait for the next text. */
const pooledLength = 16_384;
const maxPooled = 64;
const pool: Int32Array[] = [];

/** Work on one text that the guardrails of a check share: what one of them has found out, the next one looks up. */
export class TextWork {
  readonly text: string;
  readonly trigrams: Trigrams;
  /** Searches for a pattern, which remember their matches. */
  readonly searches: Map<Program, LinearSearch> = new Map();
  /** Patterns of a set pass that match somewhere; null where it took too many steps. */
  readonly candidates: Map<SetPass, ReadonlySet<number> | null> = new Map();
  /** Offsets at which a match of a pattern may begin that depends on text not seen yet, as `openStarts` gives them. */
  readonly openStarts: Map<Program, readonly number[]> = new Map();
  readonly #attempts = new Map<Scanner, Int32Array>();
  /** For each seek its latest answer: from `from` on, the first offset is `found`. */
  readonly #sought = new Map<Seek, { from: number; found: number }>();
  readonly #shared = new Map<unknown, unknown>();
  #folded: string | null = null;
  #plain: TextWork | null = null;
  #composed: { form: MappedText; work: TextWork } | null = null;

  constructor(text: string) {
    this.text = text;
    this.trigrams = new Trigrams(text);
  }

  /** The text with each character in the one form that its cases share; offsets stay the same. */
  get folded(): string {
    return (this.#folded ??= foldCase(this.text));
  }

  /** Work on the text with plain separators and digits, whose offsets are the same; this one where it has no others. */
  get plain(): TextWork {
    if (this.#plain) return this.#plain;
    const plain = plainSeparators(this.text);
    return (this.#plain = plain === this.text ? this : new TextWork(plain));
  }

  /** The text in composed form (NFC), and work on it; this one where it is. */
  get composed(): { form: MappedText; work: TextWork } {
    if (this.#composed) return this.#composed;
    const form = composedText(this.text);
    return (this.#composed = { form, work: form.text === this.text ? this : new TextWork(form.text) });
  }

  /** What one of the detectors makes of the text, by the class of it; made once. */
  shared<Made>(of: abstract new (...given: never[]) => Made, make: () => Made): Made {
    const known = this.#shared.get(of) as Made | undefined;
    if (known !== undefined) return known;
    const made = make();
    this.#shared.set(of, made);
    return made;
  }

  /** As `seek(text, from)`; looked up where an offset between `from` and the answer was asked for last. */
  seek(seek: Seek, from: number): number {
    const known = this.#sought.get(seek);
    if (known && known.from <= from && from <= known.found) return known.found;
    const found = seek(this.text, from);
    if (known) {
      known.from = from;
      known.found = found;
    } else this.#sought.set(seek, { from, found });
    return found;
  }

  /** For each offset what an attempt of a scanner gave there; 0 where there was none yet. */
  attempts(scanner: Scanner): Int32Array {
    const known = this.#attempts.get(scanner);
    if (known) return known;
    const { length } = this.text;
    const empty = length > pooledLength ? new Int32Array(length) : (pool.pop() ?? new Int32Array(pooledLength));
    this.#attempts.set(scanner, empty);
    return empty;
  }

  /** Ends the work: its tables are for the next text. */
  close(): void {
    for (const table of this.#attempts.values()) {
      if (table.length !== pooledLength || pool.length >= maxPooled) continue;
      table.fill(0, 0, this.text.length);
      pool.push(table);
    }
    this.#attempts.clear();
    if (this.#plain !== this) this.#plain?.close();
  }
}
