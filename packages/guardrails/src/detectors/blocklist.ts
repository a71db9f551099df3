import { found } from '../detector.ts';
import type { Detector } from '../detector.ts';
import { runeBefore } from '../linear-search.ts';
import { Reader } from '../scanner.ts';
import type { DetectOptions } from '../detector.ts';
import type { Match } from '../types.ts';

export interface BlocklistConfig {
  terms: readonly string[];
  /** Letters match in either case; true by default. */
  ignoreCase?: boolean | undefined;
  /** A term does not match inside a longer word; true by default. */
  wholeWords?: boolean | undefined;
}

/** A node of the tree of the terms, by UTF-16 unit. */
interface Node {
  next: Map<number, Node>;
  /** The first term that ends here. */
  term?: string;
  /** The term's last character is a word character. */
  wordAtEnd: boolean;
}

interface Terms {
  root: Node;
  /** For each ASCII unit whether a term begins with it. */
  first: Uint8Array;
  ignoreCase: boolean;
  wholeWords: boolean;
}

const wordCharacter = /^[\p{L}\p{Nd}\p{M}_]$/u;

/** Matches of terms: leftmost first, then longest. Word characters are Unicode letters, digits, marks and `_`. */
export function blocklistDetector({ terms, ignoreCase = true, wholeWords = true }: BlocklistConfig): Detector {
  const root: Node = { next: new Map(), wordAtEnd: false };
  for (const term of terms) addTerm(root, term, ignoreCase ? foldCase(term) : term);
  const first = Uint8Array.from({ length: 128 }, (_, unit) => (root.next.has(unit) ? 1 : 0));
  return {
    detect(text, options) {
      const { matches, truncated, safeUntil } = search(text, { root, first, ignoreCase, wholeWords }, options);
      return { triggered: matches.length > 0, matches, truncated, reason: found(matches, truncated), safeUntil };
    },
    placeholder: () => '[REDACTED]',
  };
}

function addTerm(root: Node, term: string, folded: string): void {
  let node = root;
  for (let index = 0; index < folded.length; index += 1) {
    const unit = folded.charCodeAt(index);
    const next = node.next.get(unit) ?? { next: new Map(), wordAtEnd: false };
    node.next.set(unit, next);
    node = next;
  }
  node.term ??= term;
  node.wordAtEnd = isWordCharacter(runeBefore(term, term.length));
}

function search(text: string, terms: Terms, { budget, limit, open }: DetectOptions) {
  const folded = terms.ignoreCase ? foldCase(text) : text;
  budget.spend(text.length);
  const reader = new Reader(folded, budget);
  const matches: Match[] = [];
  let safeUntil = open ? reader.length : text.length;
  let settled = open;
  let truncated = false;
  for (let at = 0; at < text.length;) {
    const unit = folded.charCodeAt(at);
    if (unit < 128 ? terms.first[unit] === 0 : !terms.root.next.has(unit)) {
      at += 1;
      continue;
    }
    reader.touchedEnd = false;
    const match = longestAt(reader, terms, at);
    if (settled && reader.touchedEnd) {
      settled = false;
      safeUntil = Math.min(safeUntil, at);
    }
    if (match && matches.length >= limit) truncated = true;
    else if (match) matches.push(match);
    if (truncated && !settled) break;
    at = match?.end ?? at + 1;
  }
  return { matches, truncated, safeUntil };
}

/** The longest term at an offset. */
function longestAt(reader: Reader, { root, wholeWords }: Terms, start: number): Match | undefined {
  const { text } = reader;
  let node = root.next.get(text.charCodeAt(start));
  if (!node || insideOf(text, start)) return undefined;
  if (wholeWords && isWordCharacter(text.codePointAt(start) ?? -1) && isWordCharacter(runeBefore(text, start))) {
    // A half of a pair at the end may become another character.
    if (start >= reader.length) reader.at(start);
    return undefined;
  }
  let best: Match | undefined;
  let end = start + 1;
  for (; node; end += 1) {
    if (node.term !== undefined && !insideOf(text, end) && (!wholeWords || !node.wordAtEnd || !wordAt(reader, end))) {
      best = { start, end, label: node.term };
    }
    if (node.next.size === 0) break;
    node = node.next.get(reader.at(end));
  }
  reader.spend(end - start);
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
  return wordCharacter.test(String.fromCodePoint(rune));
}

/** A text with each character in the one form that its cases share; offsets stay the same. */
function foldCase(text: string): string {
  return text.replaceAll(/[\0-\x7f]+|[^\0-\x7f]+/g, (run) => (run.charCodeAt(0) < 128 ? run.toLowerCase() : foldWide(run)));
}

function foldWide(text: string): string {
  let folded = '';
  for (const character of text) {
    const lower = oneCharacter(character.toUpperCase(), character).toLowerCase();
    folded += lower.length === character.length ? lower : character;
  }
  return folded;
}

/** A mapped character, if it takes as many units as the original; else the original. */
function oneCharacter(mapped: string, original: string): string {
  return mapped.length === original.length ? mapped : original;
}
