import { replaceRanges } from '../../../../packages/guardrails/src/index.ts';
import type { Replacement } from '../../../../packages/guardrails/src/index.ts';
import { isKeptNumber, nestsDeeper, parseKeepingNumbers } from '../../../platform/json/index.ts';

/** What finds the parts of a text that must not be shown, ascending and without overlaps; null where it could not. */
export type Find = (text: string) => readonly Replacement[] | null;

/** Characters behind a cut that are searched too: what lies across it is found whole. */
const behindCut = 1_000;
/** Characters that any value counts as, so that a list of a million nulls is cut too. */
const valueLength = 4;
/** Objects and lists inside one another that are shown. */
const mostLevels = 200;

/** A text of a value: its place in the text that is searched. */
interface Segment {
  start: number;
  end: number;
  /** What stands before this is shown. */
  shownEnd: number;
}

type Node =
  | { kind: 'literal'; json: string }
  | { kind: 'number'; segment: Segment; json: string }
  | { kind: 'text'; segment: Segment; more: number }
  | { kind: 'embedded'; start: number; end: number; original: string; node: Node }
  | { kind: 'list'; items: Node[]; more: number }
  | { kind: 'object'; members: Array<[Segment, Node]>; more: number };

/** A value as JSON text for readers of a link. */
export interface ShownValue {
  json: string;
  /** Characters that it counts as. */
  length: number;
  /** Whether something of it is left out. */
  cut: boolean;
}

/**
 * A value as JSON text of at most some characters. What is left out, a mark in its place says. With `find`, what it finds is replaced: in texts, numbers and names of
 * members. It searches one text with all of them, since what stands beside a secret tells that it is one.
 *
 * @param most characters
 * @param find null: everything is shown
 * @returns null where `find` could not search it
 */
export function shownValue(value: unknown, most: number, find: Find | null): ShownValue | null {
  const text = new SearchedText(most, find !== null);
  const node = text.nodeOf(value, 0);
  const replacements = find === null ? [] : find(text.text);
  if (replacements === null) return null;
  return { json: new Writer(text.text, replacements).json(node), length: text.used, cut: text.cut };
}

/** Lays the texts of a value one after the other, with quotes, colons and lines between them as in JSON, but as they are read: without escapes. */
class SearchedText {
  readonly #pieces: string[] = [];
  #length = 0;
  readonly #most: number;
  readonly #isSearched: boolean;
  used = 0;
  cut = false;

  constructor(most: number, isSearched: boolean) {
    this.#most = most;
    this.#isSearched = isSearched;
  }

  get text(): string {
    return this.#pieces.join('');
  }

  nodeOf(value: unknown, level: number): Node {
    this.used += valueLength;
    if (typeof value === 'string') return this.#embeddedNode(value, level) ?? this.#textNode(value);
    if (typeof value === 'number' || isKeptNumber(value)) {
      const json = JSON.stringify(value);
      const segment = this.#segment(json, Infinity);
      this.#add('\n');
      return { kind: 'number', segment, json };
    }
    if (typeof value !== 'object' || value === null) return { kind: 'literal', json: JSON.stringify(value) ?? 'null' };
    if (level >= mostLevels) {
      this.cut = true;
      return { kind: 'literal', json: JSON.stringify('[nested too deeply to be shown]') };
    }
    return Array.isArray(value) ? this.#listNode(value, level) : this.#objectNode(value, level);
  }

  /** A text that is JSON, such as the arguments of a tool call: escapes in it would hide what it says. */
  #embeddedNode(value: string, level: number): Node | null {
    if (!this.#isSearched || level >= mostLevels || value.length > this.#most - this.used) return null;
    const parsed = embeddedJson(value);
    if (parsed === null) return null;
    const start = this.#length;
    // What is cut here is cut as a text.
    const inner = new SearchedText(Infinity, true);
    inner.#length = start;
    const node = inner.nodeOf(parsed, level + 1);
    this.#add(inner.text);
    this.used += value.length;
    return { kind: 'embedded', start, end: this.#length, original: value, node };
  }

  #textNode(value: string): Node {
    this.#add('"');
    const segment = this.#segment(value, this.#most - this.used);
    this.#add('",\n');
    const more = value.length - (segment.shownEnd - segment.start);
    this.cut ||= more > 0;
    return { kind: 'text', segment, more };
  }

  #listNode(value: readonly unknown[], level: number): Node {
    const items: Node[] = [];
    for (const item of value) {
      if (this.#isFull()) break;
      items.push(this.nodeOf(item, level + 1));
    }
    const more = value.length - items.length;
    this.cut ||= more > 0;
    return { kind: 'list', items, more };
  }

  #objectNode(value: object, level: number): Node {
    const members: Array<[Segment, Node]> = [];
    const entries = Object.entries(value);
    for (const [name, member] of entries) {
      if (this.#isFull()) break;
      this.#add('"');
      const segment = this.#segment(name, Infinity);
      this.#add('": ');
      members.push([segment, this.nodeOf(member, level + 1)]);
    }
    const more = entries.length - members.length;
    this.cut ||= more > 0;
    return { kind: 'object', members, more };
  }

  #isFull(): boolean {
    return this.used >= this.#most;
  }

  #segment(value: string, most: number): Segment {
    let shown = Math.min(value.length, Math.max(0, most));
    // Not between the halves of a character.
    if (shown < value.length && isHighSurrogate(value.charCodeAt(shown - 1))) shown -= 1;
    const start = this.#length;
    this.#add(value.slice(0, shown + behindCut));
    this.used += shown;
    return { start, end: this.#length, shownEnd: start + shown };
  }

  #add(piece: string): void {
    this.#pieces.push(piece);
    this.#length += piece.length;
  }
}

/** Writes nodes in the order in which their texts were laid. */
class Writer {
  readonly #text: string;
  readonly #replacements: readonly Replacement[];
  /** Of the first replacement that may touch the next text. */
  #next = 0;

  constructor(text: string, replacements: readonly Replacement[]) {
    this.#text = text;
    this.#replacements = replacements;
  }

  json(node: Node): string {
    switch (node.kind) {
      case 'literal':
        return node.json;
      case 'number': {
        const replaced = this.#replacedIn(node.segment);
        return replaced === null ? node.json : JSON.stringify(replaced);
      }
      case 'text': {
        const shown = this.#shown(node.segment);
        return JSON.stringify(node.more > 0 ? `${shown}… [${node.more} more characters are not shown]` : shown);
      }
      case 'embedded':
        return JSON.stringify(this.#touches(node.start, node.end) ? this.json(node.node) : node.original);
      case 'list': {
        const items = node.items.map((item) => this.json(item));
        if (node.more > 0) items.push(JSON.stringify(`[${node.more} more items are not shown]`));
        return `[${items.join(',')}]`;
      }
      case 'object':
        return this.#object(node);
    }
  }

  #object({ members, more }: Extract<Node, { kind: 'object' }>): string {
    const taken = new Set<string>();
    const written = members.map(([segment, member]) => {
      const name = freeName(this.#shown(segment), taken);
      taken.add(name);
      return `${JSON.stringify(name)}:${this.json(member)}`;
    });
    if (more > 0)
      written.push(`${JSON.stringify(freeName('…', taken))}:${JSON.stringify(`[${more} more fields are not shown]`)}`);
    return `{${written.join(',')}}`;
  }

  /** Whether something is replaced in a part of the text. */
  #touches(start: number, end: number): boolean {
    while ((this.#replacements[this.#next]?.end ?? Infinity) <= start) this.#next += 1;
    return (this.#replacements[this.#next]?.start ?? Infinity) < end;
  }

  #shown(segment: Segment): string {
    return this.#replacedIn(segment) ?? this.#text.slice(segment.start, segment.shownEnd);
  }

  /** The shown part of a text with its replacements; null without any. One that begins in it is whole, also across its cut. */
  #replacedIn({ start, end, shownEnd }: Segment): string | null {
    while ((this.#replacements[this.#next]?.end ?? Infinity) <= start) this.#next += 1;
    const touching: Replacement[] = [];
    for (let at = this.#next; ; at += 1) {
      const one = this.#replacements[at];
      if (!one || one.start >= shownEnd) break;
      touching.push({ ...one, start: Math.max(start, one.start) - start, end: Math.min(end, one.end) - start });
    }
    return touching.length === 0 ? null : replaceRanges(this.#text.slice(start, end), touching, shownEnd - start);
  }
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

/** The object or list that a text is as JSON; null for another text. */
function embeddedJson(text: string): object | null {
  if (!/^\s*[[{]/.test(text)) return null;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !nestsDeeper(value, mostLevels)
      ? (parseKeepingNumbers(text, value) as object)
      : null;
  } catch {
    return null;
  }
}

/** Names of members that were different may be replaced by the same. */
function freeName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  for (let number = 2; ; number += 1) if (!taken.has(`${name} ${number}`)) return `${name} ${number}`;
}
