import { foldCase } from '../fold-case.ts';
import type { MappedText } from '../mapped-text.ts';
import { settledLength } from '../open-starts.ts';
import { TextWork } from '../text-work.ts';
import { decodedRuns } from './decoded-runs.ts';
import { modelScore } from './model.ts';
import { plainOf, plainText, runsOfLetters, visible, withoutSplits } from './plain-text.ts';
import { segmentsOf } from './segments.ts';
import type { Segment } from './segments.ts';

/** Most units at the end of a text that its continuation may give another form: more of a run than any word has. */
const longestTail = 512;
/** Units of the longest phrase that counts. */
export const longestPhrase = 600;

/** A form of a text, with the work on it. */
export class Form {
  readonly form: MappedText;
  readonly work: TextWork;
  #segments: ReturnType<typeof segmentsOf> | null = null;
  #folded: string | null = null;
  readonly #scores = new Map<Segment, number>();

  /** @param original work on the text that this is a form of */
  constructor(form: MappedText, original?: TextWork) {
    this.form = form;
    this.work = original && original.text === form.text ? original : new TextWork(form.text);
  }

  get folded(): string {
    return (this.#folded ??= foldCase(this.form.text));
  }

  get segments(): ReturnType<typeof segmentsOf> {
    return (this.#segments ??= segmentsOf(this.folded, this.form));
  }

  /** How sure the model is of a segment. */
  scoreOf(segment: Segment): number {
    const score = this.#scores.get(segment) ?? modelScore(this.folded, segment.start, segment.end);
    this.#scores.set(segment, score);
    return score;
  }
}

/** A text as it is read for prompt injections. The guardrails of a check share it. */
export class Reading {
  readonly plain: Form;
  /** Without what splits words; null where nothing does. */
  readonly joined: Form | null;
  /** Words set apart letter by letter. */
  readonly letters: readonly Form[];
  /** What stands in Base64. */
  readonly decoded: ReadonlyArray<{ start: number; end: number; form: Form }>;

  constructor(work: TextWork) {
    const seen = visible(work.text);
    const joined = withoutSplits(seen);
    this.plain = new Form(plainOf(seen), work);
    this.joined = joined && new Form(joined, work);
    this.letters = runsOfLetters(seen).map((run) => new Form(run));
    this.decoded = decodedRuns(work.text).map(({ start, end, text }) => ({ start, end, form: new Form(plainText(text)) }));
  }
}

/** The part of a text whose form is settled, whatever is appended. */
export class SettledReading {
  readonly length: number;
  /** Before which the model has judged every segment. */
  readonly judgedUntil: number;
  /** The ends of its forms, in which a phrase may be open, with the offset at which each begins. */
  readonly ends: ReadonlyArray<{ form: MappedText; start: number; work: TextWork }>;

  constructor(text: string) {
    this.length = settledForm(text);
    const seen = visible(text.slice(0, this.length));
    const plain = new Form(plainOf(seen));
    this.judgedUntil = plain.form.originalOffset(plain.segments.openFrom, this.length);
    this.ends = [plain.form, withoutSplits(seen)].flatMap((form) => {
      if (!form) return [];
      const start = Math.max(0, form.text.length - longestPhrase);
      return [{ form, start, work: new TextWork(form.text.slice(start)) }];
    });
  }
}

/** The length of the text that has the same form whatever is appended: without its last word, letters set apart, and a comment that is open. */
function settledForm(text: string): number {
  let at = settledLength(text);
  const first = Math.max(0, at - longestTail);
  while (at > first && !isSpace(text, at - 1)) at -= 1;
  // Before it words of one letter, and what stands between them.
  while (at > first && (isSpace(text, at - 1) || isSpace(text, at - 2) || at === 1)) at -= 1;
  const comment = text.lastIndexOf('<!--', at);
  return comment >= 0 && at - comment <= longestTail && !text.slice(comment, at).includes('-->') ? comment : at;
}

export function isSpace(text: string, at: number): boolean {
  return at >= 0 && text.charCodeAt(at) <= 32;
}
