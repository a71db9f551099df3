import type { Budget } from './budget.ts';
import { assertionsBetween, isWord, op, readsAt } from './program.ts';
import type { Program } from './program.ts';

/** Most memory of the states that one text may need at once, in bytes. As much may be left from earlier texts. */
const maxBytes = 1024 * 1024;
/** Bytes of a state without its instructions, and of a transition on a character outside ASCII. */
const stateBytes = 1_800;
const wideBytes = 80;

/** What stands before a place decides which assertions hold there. */
const before = { start: -1, lineEnd: 10, word: 97, other: 32 } as const;

/** Where the patterns are at a place of the text: a state of the deterministic automaton. */
interface State {
  /** Instructions that wait for the next character, ascending. */
  pcs: Int32Array;
  before: number;
  /** Patterns of which a match ends before the last character that was read. */
  matched: readonly number[];
  /** The states behind each ASCII character, and behind others. */
  next: Array<State | undefined>;
  wide: Map<number, State>;
  /** The last text that needed the state, and each of its transitions. */
  text: number;
  nextText: Uint32Array;
  wideText: Map<number, number>;
}

function stateOf(pcs: Int32Array, kind: number, matched: readonly number[]): State {
  const transitions = { next: [], wide: new Map(), nextText: new Uint32Array(128), wideText: new Map() };
  return { pcs, before: kind, matched, text: 0, ...transitions };
}

/** Forgets the transitions of a state. */
function empty(state: State): void {
  state.next = [];
  state.nextText.fill(0);
  state.wide.clear();
  state.wideText.clear();
}

/**
 * Finds out in one pass over a text which of several patterns match in it. The automata of the patterns run at once, as one deterministic automaton whose
 * states are made when a text first needs them, and kept for the next text. What a text is charged for does not depend on what is kept: the first use of a
 * state or a transition in a text costs what making it costs, so that the same text always takes the same steps.
 */
export class SetPass {
  readonly #programs: ReadonlyArray<{ program: Program; offset: number }>;
  readonly #owner: Uint16Array;
  readonly #seen: Int32Array;
  #states = new Map<string, State>();
  /** Bytes of all states, and of those that the current text needs. */
  #bytes = 0;
  #textBytes = 0;
  #text = 0;
  #round = 0;

  /** @param programs together at most 65,536 instructions */
  constructor(programs: readonly Program[]) {
    let size = 0;
    this.#programs = programs.map((program) => {
      const offset = size;
      size += program.instructions.length;
      return { program, offset };
    });
    this.#owner = new Uint16Array(size);
    this.#seen = new Int32Array(size);
    for (const [index, { program, offset }] of this.#programs.entries()) {
      this.#owner.fill(index, offset, offset + program.instructions.length);
    }
  }

  /**
   * Indices of the patterns that match somewhere in the text, be it an empty match, ascending. Errors: OverBudget, where the text needs too many new
   * states.
   */
  candidates(text: string, budget: Budget): number[] {
    const found = new Uint8Array(this.#programs.length);
    budget.spend((text.length >> 3) + 1);
    if (this.#bytes > maxBytes) this.#forget();
    this.#text += 1;
    this.#textBytes = 0;
    const number = this.#text;
    let state = this.#state(this.#starts(), before.start, [], budget);
    for (let at = 0; at < text.length; at += 1) {
      const unit = text.charCodeAt(at);
      const next = unit < 128 && state.nextText[unit] === number ? state.next[unit] : undefined;
      if (next) state = next;
      else {
        const rune = text.codePointAt(at) ?? unit;
        if (rune > 0xffff) at += 1;
        state = this.#read(state, rune, budget);
      }
      for (const pattern of state.matched) found[pattern] = 1;
    }
    for (const pattern of this.#closure(state, -1).matched) found[pattern] = 1;
    return [...found.keys()].filter((pattern) => found[pattern] === 1);
  }

  #forget(): void {
    this.#states = new Map();
    this.#bytes = 0;
    this.#textBytes = 0;
  }

  #starts(): number[] {
    return this.#programs.map(({ program, offset }) => program.start + offset);
  }

  /** The state behind a character. */
  #read(state: State, rune: number, budget: Budget): State {
    const known = rune < 128 ? state.next[rune] : state.wide.get(rune);
    const charged = (rune < 128 ? state.nextText[rune] : state.wideText.get(rune)) === this.#text;
    if (known && charged) return known;
    budget.spend(4 * state.pcs.length + 10);
    if (this.#textBytes > maxBytes) {
      this.#forget();
      empty(state);
      return this.#read(state, rune, budget);
    }
    if (rune >= 128) this.#textBytes += wideBytes;
    const next = known ? this.#charge(known, budget) : this.#made(state, rune, budget);
    if (rune < 128) {
      state.next[rune] = next;
      state.nextText[rune] = this.#text;
    } else {
      state.wide.set(rune, next);
      state.wideText.set(rune, this.#text);
      if (!known) this.#bytes += wideBytes;
    }
    return next;
  }

  #made(state: State, rune: number, budget: Budget): State {
    const { readers, matched } = this.#closure(state, rune);
    const targets = this.#starts();
    for (const pc of readers) {
      const { program, offset } = this.#of(pc);
      if (readsAt(program, pc - offset, rune)) targets.push((program.out[pc - offset] ?? 0) + offset);
    }
    const kind = rune === 10 ? before.lineEnd : isWord(rune) ? before.word : before.other;
    return this.#state(targets, kind, matched, budget);
  }

  /** The state of the instructions that some lead to: a new one unless it is kept. */
  #state(targets: number[], kind: number, matched: readonly number[], budget: Budget): State {
    this.#round += 1;
    const pcs = Int32Array.from(this.#reached(targets)).sort();
    const key = `${kind} ${matched.join()} ${String.fromCharCode(...pcs)}`;
    const known = this.#states.get(key);
    if (known) return this.#charge(known, budget);
    const state = stateOf(pcs, kind, matched);
    this.#states.set(key, state);
    this.#bytes += stateBytes + 6 * pcs.length;
    return this.#charge(state, budget);
  }

  /** Charges the current text for a state, once. */
  #charge(state: State, budget: Budget): State {
    if (state.text === this.#text) return state;
    state.text = this.#text;
    budget.spend(8 * state.pcs.length + 40);
    this.#textBytes += stateBytes + 6 * state.pcs.length;
    return state;
  }

  /** Instructions that read, match or assert, reached from some without reading a character or an assertion. Within a round each once. */
  #reached(stack: number[]): number[] {
    const reached: number[] = [];
    for (let pc = stack.pop(); pc !== undefined; pc = stack.pop()) {
      if (this.#seen[pc] === this.#round) continue;
      this.#seen[pc] = this.#round;
      const { program, offset } = this.#of(pc);
      const kind = program.op[pc - offset] ?? op.fail;
      if (kind >= op.rune || kind === op.match || kind === op.emptyWidth) reached.push(pc);
      else if (kind !== op.fail) {
        if (kind === op.alt || kind === op.altMatch) stack.push((program.arg[pc - offset] ?? 0) + offset);
        stack.push((program.out[pc - offset] ?? 0) + offset);
      }
    }
    return reached;
  }

  /** What a state does before a character (-1: the end of the text): the readers that its assertions let through, and the patterns that match. */
  #closure(state: State, rune: number): { readers: number[]; matched: number[] } {
    const flags = assertionsBetween(state.before, rune);
    const readers: number[] = [];
    const matched = new Set<number>();
    this.#round += 1;
    const waiting = [...state.pcs];
    for (const pc of waiting) this.#seen[pc] = this.#round;
    for (const pc of waiting) {
      const { program, offset } = this.#of(pc);
      const kind = program.op[pc - offset] ?? op.fail;
      if (kind >= op.rune) readers.push(pc);
      else if (kind === op.match) matched.add(this.#owner[pc] ?? 0);
      else if (((program.arg[pc - offset] ?? 0) & ~flags) === 0) {
        waiting.push(...this.#reached([(program.out[pc - offset] ?? 0) + offset]));
      }
    }
    return { readers, matched: [...matched].sort((a, b) => a - b) };
  }

  #of(pc: number): { program: Program; offset: number } {
    const owner = this.#programs[this.#owner[pc] ?? 0];
    if (!owner) throw new RangeError(`There is no instruction ${pc}.`);
    return owner;
  }
}
