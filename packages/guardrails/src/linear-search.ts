import { Budget } from './budget.ts';
import { assertionsBetween, op, readsAt } from './program.ts';
import type { Program } from './program.ts';

/** Matches that a search remembers. */
const maxKnown = 1_000;

/** A part of a text that matches; offsets are in UTF-16 units, the end is exclusive. */
export interface Span {
  start: number;
  end: number;
}

/** Threads of a search at one offset, by priority. */
interface Threads {
  count: number;
  pc: Int32Array;
  start: Int32Array;
}

/**
 * Searches one text for one pattern by simulating its automaton, so that the steps are counted. A match is the leftmost one; alternatives and lazy
 * repetitions count as written.
 */
export class LinearSearch {
  readonly #program: Program;
  readonly #text: string;
  /** Matches by the offset from which they were searched for. */
  readonly #known = new Map<number, Span | null>();
  #budget = new Budget(0);
  #start = -1;
  #end = -1;
  readonly #seen: Int32Array;
  readonly #stack: number[] = [];
  #round = 0;
  #now: Threads;
  #next: Threads;

  constructor(program: Program, text: string) {
    this.#program = program;
    this.#text = text;
    const size = program.instructions.length;
    this.#seen = new Int32Array(size);
    this.#now = threads(size);
    this.#next = threads(size);
  }

  /** The first match at or after an offset that is not empty; null when there is none. Errors: OverBudget. */
  find(from: number, budget: Budget): Span | null {
    const known = this.#known.get(from);
    budget.spend(1);
    if (known !== undefined) return known;
    this.#budget = budget;
    const found = this.#find(from);
    if (this.#known.size < maxKnown) this.#known.set(from, found);
    return found;
  }

  #find(from: number): Span | null {
    for (let at = from; at < this.#text.length && this.#search(at);) {
      if (this.#end > this.#start) return { start: this.#start, end: this.#end };
      at = this.#end + ((this.#text.codePointAt(this.#end) ?? 0) > 0xffff ? 2 : 1);
    }
    return null;
  }

  #search(from: number): boolean {
    const text = this.#text;
    this.#start = -1;
    this.#now.count = 0;
    this.#round += 1;
    for (let at = from; ;) {
      if (this.#now.count === 0) {
        if (this.#start >= 0) return true;
        const next = this.#skip(at);
        if (next < 0) return false;
        at = next;
        this.#round += 1;
      }
      const rune = text.codePointAt(at) ?? -1;
      if (this.#start < 0 && rune >= 0) this.#add(this.#now, this.#program.start, at, at);
      const width = rune > 0xffff ? 2 : 1;
      this.#step(rune, at, at + width);
      if (rune < 0) return this.#start >= 0;
      at += width;
    }
  }

  /** The next offset at which a match can begin, or -1. */
  #skip(from: number): number {
    const text = this.#text;
    const { first, firstReaders } = this.#program;
    for (let at = from; at < text.length; at += 1) {
      const unit = text.charCodeAt(at);
      if (unit < 256) {
        if (first[unit] === 0) continue;
      } else {
        const rune = text.codePointAt(at) ?? 0;
        this.#budget.spend(firstReaders.length);
        if (!firstReaders.some((pc) => readsAt(this.#program, pc, rune))) {
          if (rune > 0xffff) at += 1;
          continue;
        }
      }
      this.#budget.spend(((at - from) >> 3) + 1);
      return at;
    }
    this.#budget.spend(((text.length - from) >> 3) + 1);
    return -1;
  }

  /** Lets every thread read a character; a thread that has matched ends those of lower priority. */
  #step(rune: number, at: number, after: number): void {
    const program = this.#program;
    const now = this.#now;
    const next = this.#next;
    next.count = 0;
    this.#round += 1;
    this.#budget.spend(now.count + 1);
    for (let index = 0; index < now.count; index += 1) {
      const pc = now.pc[index] ?? 0;
      const start = now.start[index] ?? 0;
      if (program.op[pc] === op.match) {
        this.#start = start;
        this.#end = at;
        break;
      }
      if (rune >= 0 && readsAt(program, pc, rune)) this.#add(next, program.out[pc] ?? 0, start, after);
    }
    this.#now = next;
    this.#next = now;
  }

  /** Adds a thread at an instruction, or those that it leads to without reading a character. */
  #add(list: Threads, first: number, start: number, at: number): void {
    const { op: ops, out, arg } = this.#program;
    const stack = this.#stack;
    const seen = this.#seen;
    const round = this.#round;
    let flags = -1;
    let steps = 0;
    let depth = 1;
    stack[0] = first;
    while (depth > 0) {
      depth -= 1;
      const pc = stack[depth] ?? 0;
      if (seen[pc] === round) continue;
      seen[pc] = round;
      steps += 1;
      const kind = ops[pc] ?? op.fail;
      if (kind >= op.rune || kind === op.match) {
        list.pc[list.count] = pc;
        list.start[list.count] = start;
        list.count += 1;
      } else if (kind === op.emptyWidth) {
        if (flags < 0) flags = assertionsAt(this.#text, at);
        if (((arg[pc] ?? 0) & ~flags) === 0) stack[depth++] = out[pc] ?? 0;
      } else if (kind !== op.fail) {
        if (kind === op.alt || kind === op.altMatch) stack[depth++] = arg[pc] ?? 0;
        stack[depth++] = out[pc] ?? 0;
      }
    }
    this.#budget.spend(steps);
  }
}

/** Assertions that hold at an offset. */
export function assertionsAt(text: string, at: number): number {
  return assertionsBetween(runeBefore(text, at), text.codePointAt(at) ?? -1);
}

/** The code point that ends at an offset, or -1 at the start. */
export function runeBefore(text: string, at: number): number {
  if (at <= 0) return -1;
  const unit = text.charCodeAt(at - 1);
  if (unit < 0xdc00 || unit > 0xdfff || at < 2) return unit;
  const rune = text.codePointAt(at - 2) ?? unit;
  return rune > 0xffff ? rune : unit;
}

function threads(size: number): Threads {
  return { count: 0, pc: new Int32Array(size), start: new Int32Array(size) };
}
