import type { CharacterClasses } from './character-classes.ts';

/** Bytes of a state without its instructions and transitions, and of a transition on a character outside ASCII. */
const stateBytes = 400;
const wideBytes = 80;

/** States for which a new table has room. */
const firstSize = 16;

interface State {
  /** Instructions that wait for the next character, ascending. */
  pcs: Int32Array;
  before: number;
  /** Patterns of which a match ends before the last character that was read. */
  matched: readonly number[];
  /** The states behind characters outside ASCII. */
  wide: Map<number, { next: number; text: number }>;
}

/** The states of a set pass and the transitions between them, with the last text that used each. States are numbers from 0. */
export class StateTable {
  readonly classes: CharacterClasses;
  /** For each state 1 where a match ends before the last character that was read. */
  matches: Uint8Array = new Uint8Array(firstSize);
  /** For each state the steps of a transition that a text takes for the first time. */
  readSteps: Int32Array = new Int32Array(firstSize);
  /** For each state and class of characters the next state, and the last text that went there. New arrays when states are added. */
  next: Int32Array;
  nextText: Uint32Array;
  /** The number of the current text. */
  text = 0;
  /** The state at the start of a text; -1 where it is not known. */
  first = -1;
  /** Patterns that match at the end of a text, by its last state. */
  readonly matchedAtEnd: Map<number, readonly number[]> = new Map();
  readonly #states: State[] = [];
  readonly #numbers = new Map<string, number>();
  /** For each state the last text that used it. */
  #stateText = new Uint32Array(firstSize);
  #bytes = 0;
  #textBytes = 0;

  constructor(classes: CharacterClasses) {
    this.classes = classes;
    this.next = new Int32Array(firstSize * classes.count).fill(-1);
    this.nextText = new Uint32Array(firstSize * classes.count);
  }

  /** Bytes of all states. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Bytes of the states that the current text uses. */
  get textBytes(): number {
    return this.#textBytes;
  }

  /** Begins another text, which has used nothing yet. */
  startText(): void {
    this.text += 1;
    this.#textBytes = 0;
  }

  /** Forgets all states. */
  clear(): void {
    const { count } = this.classes;
    this.matches = new Uint8Array(firstSize);
    this.readSteps = new Int32Array(firstSize);
    this.next = new Int32Array(firstSize * count).fill(-1);
    this.nextText = new Uint32Array(firstSize * count);
    this.#stateText = new Uint32Array(firstSize);
    this.#states.length = 0;
    this.#numbers.clear();
    this.matchedAtEnd.clear();
    this.first = -1;
    this.#bytes = 0;
    this.#textBytes = 0;
  }

  /** The state behind a character, if the current text went there before; else -1. */
  used(state: number, rune: number): number {
    if (rune >= 128) {
      const known = this.#of(state).wide.get(rune);
      return known?.text === this.text ? known.next : -1;
    }
    const slot = state * this.classes.count + (this.classes.classOf[rune] ?? 0);
    return this.nextText[slot] === this.text ? (this.next[slot] ?? -1) : -1;
  }

  /** The state behind a character, if any text went there; else -1. */
  kept(state: number, rune: number): number {
    if (rune >= 128) return this.#of(state).wide.get(rune)?.next ?? -1;
    return this.next[state * this.classes.count + (this.classes.classOf[rune] ?? 0)] ?? -1;
  }

  /** Notes that the current text goes from a state to another one. */
  use(state: number, rune: number, next: number): void {
    if (rune < 128) {
      const slot = state * this.classes.count + (this.classes.classOf[rune] ?? 0);
      this.next[slot] = next;
      this.nextText[slot] = this.text;
      return;
    }
    const { wide } = this.#of(state);
    if (!wide.has(rune)) this.#bytes += wideBytes;
    this.#textBytes += wideBytes;
    wide.set(rune, { next, text: this.text });
  }

  /** The state of some instructions; a new one unless it is kept. */
  add(pcs: Int32Array, before: number, matched: readonly number[]): number {
    const key = `${before} ${matched.join()} ${String.fromCharCode(...pcs)}`;
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const state = this.#states.length;
    if (state === this.matches.length) this.#grow();
    this.#states.push({ pcs, before, matched, wide: new Map() });
    this.#numbers.set(key, state);
    this.matches[state] = matched.length > 0 ? 1 : 0;
    this.readSteps[state] = 4 * pcs.length + 10;
    this.#bytes += this.#sizeOf(pcs);
    return state;
  }

  /** Notes that the current text uses a state. Whether it does for the first time. */
  useState(state: number): boolean {
    if (this.#stateText[state] === this.text) return false;
    this.#stateText[state] = this.text;
    this.#textBytes += this.#sizeOf(this.#of(state).pcs);
    return true;
  }

  instructions(state: number): Int32Array {
    return this.#of(state).pcs;
  }

  before(state: number): number {
    return this.#of(state).before;
  }

  matched(state: number): readonly number[] {
    return this.#of(state).matched;
  }

  #sizeOf(pcs: Int32Array): number {
    return stateBytes + 6 * pcs.length + 8 * this.classes.count;
  }

  #of(state: number): State {
    const known = this.#states[state];
    if (!known) throw new RangeError(`There is no state ${state}.`);
    return known;
  }

  #grow(): void {
    const size = 2 * this.matches.length;
    const { count } = this.classes;
    const { next, nextText, matches, readSteps } = this;
    const stateText = this.#stateText;
    this.next = new Int32Array(size * count).fill(-1);
    this.next.set(next);
    this.nextText = new Uint32Array(size * count);
    this.nextText.set(nextText);
    this.#stateText = new Uint32Array(size);
    this.#stateText.set(stateText);
    this.matches = new Uint8Array(size);
    this.matches.set(matches);
    this.readSteps = new Int32Array(size);
    this.readSteps.set(readSteps);
  }
}
