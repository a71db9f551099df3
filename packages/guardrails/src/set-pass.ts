import type { Budget } from './budget.ts';
import { CharacterClasses } from './character-classes.ts';
import { keepTable } from './kept-tables.ts';
import { assertionsBetween, isWord, op, readsAt } from './program.ts';
import type { Program } from './program.ts';
import { StateTable } from './state-table.ts';

/** Most memory of the states that one text may need at once, in bytes. As much may be left from earlier texts. */
const maxBytes = 1024 * 1024;

/** What stands before a place decides which assertions hold there. */
const before = { start: -1, lineEnd: 10, word: 97, other: 32 } as const;

/**
 * Finds out in one pass over a text which of several patterns match in it. The automata of the patterns run at once, as one deterministic automaton whose
 * states are made when a text first needs them, and kept for the next text. What a text is charged for does not depend on what is kept: the first use of a
 * state or a transition in a text costs what making it costs, so that the same text always takes the same steps.
 */
export class SetPass {
  readonly #programs: ReadonlyArray<{ program: Program; offset: number }>;
  readonly #owner: Uint16Array;
  readonly #seen: Int32Array;
  #states: StateTable | null = null;
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
    budget.spend((text.length >> 3) + 1);
    const states = (this.#states ??= new StateTable(new CharacterClasses(this.#programs.map(({ program }) => program))));
    try {
      return this.#run(text, states, budget);
    } finally {
      keepTable(states);
    }
  }

  #run(text: string, states: StateTable, budget: Budget): number[] {
    const found = new Uint8Array(this.#programs.length);
    if (states.bytes > maxBytes) states.clear();
    states.startText();
    const { classOf, count } = states.classes;
    let { text: number, next, nextText, matches } = states;
    let state = this.#first(states, budget);
    for (let at = 0; at < text.length; at += 1) {
      const unit = text.charCodeAt(at);
      const slot = state * count + (classOf[unit] ?? 0);
      // As `states.used` and `#read`, without their calls for each character.
      if (unit < 128 && nextText[slot] === number) state = next[slot] ?? 0;
      else if (unit < 128 && (next[slot] ?? -1) >= 0 && states.textBytes <= maxBytes) {
        budget.spend(states.readSteps[state] ?? 0);
        nextText[slot] = number;
        state = this.#charge(states, next[slot] ?? 0, budget);
      } else {
        const rune = text.codePointAt(at) ?? unit;
        if (rune > 0xffff) at += 1;
        state = this.#read(states, state, rune, budget);
        ({ text: number, next, nextText, matches } = states);
      }
      if (matches[state] === 1) for (const pattern of states.matched(state)) found[pattern] = 1;
    }
    for (const pattern of this.#matchedAtEnd(states, state)) found[pattern] = 1;
    return [...found.keys()].filter((pattern) => found[pattern] === 1);
  }

  /** The state at the start of a text. */
  #first(states: StateTable, budget: Budget): number {
    if (states.first >= 0) return this.#charge(states, states.first, budget);
    states.first = this.#state(states, this.#starts(), before.start, [], budget);
    return states.first;
  }

  #matchedAtEnd(states: StateTable, state: number): readonly number[] {
    const known = states.matchedAtEnd.get(state) ?? this.#closure(states, state, -1).matched;
    states.matchedAtEnd.set(state, known);
    return known;
  }

  #starts(): number[] {
    return this.#programs.map(({ program, offset }) => program.start + offset);
  }

  /** The state behind a character. */
  #read(states: StateTable, state: number, rune: number, budget: Budget): number {
    const used = states.used(state, rune);
    if (used >= 0) return used;
    budget.spend(states.readSteps[state] ?? 0);
    if (states.textBytes > maxBytes) return this.#readAnew(states, state, rune, budget);
    const kept = states.kept(state, rune);
    const next = kept >= 0 ? this.#charge(states, kept, budget) : this.#made(states, state, rune, budget);
    states.use(state, rune, next);
    return next;
  }

  /** The same with no other states in memory. */
  #readAnew(states: StateTable, state: number, rune: number, budget: Budget): number {
    const [pcs, kind, matched] = [states.instructions(state), states.before(state), states.matched(state)];
    states.clear();
    return this.#read(states, this.#charge(states, states.add(pcs, kind, matched), budget), rune, budget);
  }

  #made(states: StateTable, state: number, rune: number, budget: Budget): number {
    const { readers, matched } = this.#closure(states, state, rune);
    const targets = this.#starts();
    for (const pc of readers) {
      const { program, offset } = this.#of(pc);
      if (readsAt(program, pc - offset, rune)) targets.push((program.out[pc - offset] ?? 0) + offset);
    }
    const kind = rune === 10 ? before.lineEnd : isWord(rune) ? before.word : before.other;
    return this.#state(states, targets, kind, matched, budget);
  }

  /** The state of the instructions that some lead to: a new one unless it is kept. */
  #state(states: StateTable, targets: number[], kind: number, matched: readonly number[], budget: Budget): number {
    this.#round += 1;
    const pcs = Int32Array.from(this.#reached(targets)).sort();
    return this.#charge(states, states.add(pcs, kind, matched), budget);
  }

  /** Charges the current text for a state, once. */
  #charge(states: StateTable, state: number, budget: Budget): number {
    if (states.useState(state)) budget.spend(2 * (states.readSteps[state] ?? 0) + 20);
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
  #closure(states: StateTable, state: number, rune: number): { readers: number[]; matched: number[] } {
    const flags = assertionsBetween(states.before(state), rune);
    const readers: number[] = [];
    const matched = new Set<number>();
    this.#round += 1;
    const waiting = [...states.instructions(state)];
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
