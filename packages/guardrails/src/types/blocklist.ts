import { Beginnings } from '../beginnings.ts';
import { found, redacted } from '../detector.ts';
import type { Detector } from '../detector.ts';
import { foldCase } from '../fold-case.ts';
import { runeBefore } from '../linear-search.ts';
import { settledLength } from '../open-starts.ts';
import { Reader } from '../scanner.ts';
import type { DetectOptions } from '../detector.ts';
import { TermTree } from '../term-tree.ts';
import type { Match } from '../match.ts';
import { boolean, texts } from '../config-rules.ts';
import type { FieldRule } from '../config-rules.ts';
import type { GuardrailTypeDescription } from './guardrail-type.ts';

interface BlocklistConfig {
  terms: readonly string[];
  /** Letters match in either case; true by default. */
  ignoreCase?: boolean | undefined;
  /** A term does not match inside a longer word; true by default. */
  wholeWords?: boolean | undefined;
}

interface Terms {
  beginnings: Beginnings;
  tree: TermTree<Term>;
  ignoreCase: boolean;
  wholeWords: boolean;
}

interface Term {
  term: string;
  /** Its last character is a word character. */
  wordAtEnd: boolean;
}

const longestTerm = 1_000;
const wordCharacter = /^[\p{L}\p{Nd}\p{M}_]$/u;
/** Letters of scripts that put no spaces between words: they bound no word, and none bounds them. */
const spaceless =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}\p{Script=Bopomofo}\u30fc\uff70]$/u;

/** Matches of terms: leftmost first, then longest. Word characters are Unicode letters, digits, marks and `_`. */
function blocklistDetector({ terms, ignoreCase = true, wholeWords = true }: BlocklistConfig): Detector {
  const tree = new TermTree<Term>();
  const beginnings = Beginnings.ofTexts(terms.map((term) => term.normalize('NFC')));
  for (const term of terms) {
    const composed = term.normalize('NFC');
    tree.add(ignoreCase ? foldCase(composed) : composed, {
      term,
      wordAtEnd: isWordCharacter(runeBefore(composed, composed.length)),
    });
  }
  return {
    detect(options) {
      const { form, work } = options.work.composed;
      const { length } = options.work.text;
      const inForm = { ...options, work, from: form.offsetOf(options.from) };
      const searched = search({ beginnings, tree, ignoreCase, wholeWords }, inForm);
      const matches = searched.matches.map(({ start, end, label }) => ({ ...form.rangeOf(start, end), label }));
      const { truncated } = searched;
      const safeUntil = form.originalOffset(searched.safeUntil, length);
      const placeholders = matches.map(() => redacted);
      return { triggered: matches.length > 0, matches, placeholders, truncated, reason: found(matches, truncated), safeUntil };
    },
  };
}

function search(terms: Terms, { work, budget, limit, open, from: first }: DetectOptions) {
  budget.spend(work.text.length);
  if (!open && !terms.beginnings.mayStandIn(work.trigrams, budget))
    return { matches: [], truncated: false, safeUntil: work.text.length };
  const text = terms.ignoreCase ? work.folded : work.text;
  // A mark behind the last character may join it.
  const settledUntil = settledLength(text);
  const reader = new Reader(text, budget, Math.max(0, settledUntil - 1));
  const matches: Match[] = [];
  let safeUntil = open ? settledUntil : text.length;
  let settled = open;
  let truncated = false;
  const { tree } = terms;
  const seek = (from: number) => (open ? tree.firstFrom(text, from) : tree.seek(text, from));
  for (let at = seek(first); at < text.length;) {
    reader.touchedEnd = false;
    const match = longestAt(reader, terms, at);
    if (settled && reader.touchedEnd) {
      settled = false;
      safeUntil = Math.min(safeUntil, at);
    }
    if (match && matches.length >= limit) truncated = true;
    else if (match) matches.push(match);
    if (truncated && !settled) break;
    at = seek(match?.end ?? at + 1);
  }
  return { matches, truncated, safeUntil };
}

/** The longest term at an offset. */
function longestAt(reader: Reader, { tree, wholeWords }: Terms, start: number): Match | undefined {
  const { text } = reader;
  if (insideOf(text, start)) return undefined;
  if (wholeWords && isWordCharacter(text.codePointAt(start) ?? -1) && isWordCharacter(runeBefore(text, start))) {
    // A half of a pair at the end may become another character.
    if (start >= reader.length) reader.at(start);
    return undefined;
  }
  let best: Match | undefined;
  const last = tree.walk(reader, start, ({ term, wordAtEnd }, end) => {
    if (!insideOf(text, end) && (!wholeWords || !wordAtEnd || !wordAt(reader, end))) best = { start, end, label: term };
  });
  reader.spend(last - start + 1);
  return best;
}

/** Whether the character at an offset is a word character. */
function wordAt(reader: Reader, offset: number): boolean {
  return reader.at(offset) >= 0 && isWordCharacter(reader.text.codePointAt(offset) ?? -1);
}

/** Whether an offset is between the halves of a pair. */
function insideOf(text: string, offset: number): boolean {
  return offset > 0 && offset < text.length && (text.codePointAt(offset - 1) ?? 0) > 0xffff;
}

function isWordCharacter(rune: number): boolean {
  if (rune < 128) return (rune >= 97 && rune <= 122) || (rune >= 65 && rune <= 90) || (rune >= 48 && rune <= 57) || rune === 95;
  const character = String.fromCodePoint(rune);
  return wordCharacter.test(character) && !spaceless.test(character);
}

const isTerm = (term: string): boolean => term.trim() !== '' && term.length <= longestTerm;

const listOfTerms = texts({
  most: 1_000,
  required: true,
  items: { type: 'string', minLength: 1, maxLength: longestTerm },
  fine: isTerm,
  message: `must be a text of 1 to ${longestTerm} characters that are not all spaces`,
});

/** Each term counts as one state. */
const terms: FieldRule = {
  ...listOfTerms,
  check(fields, name) {
    listOfTerms.check(fields, name);
    const given = fields.value(name);
    if (Array.isArray(given)) fields.sizes.push(given.length);
  },
};

export const blocklist: GuardrailTypeDescription<'blocklist'> = {
  name: 'blocklist',
  title: 'Blocked terms',
  hint: 'Finds words and phrases of a list.',
  fields: { terms, ignoreCase: boolean(true), wholeWords: boolean(true) },
  example: { terms: ['confidential'] },
  redacts: true,
  defaultAction: 'block',
  detector: blocklistDetector,
};
