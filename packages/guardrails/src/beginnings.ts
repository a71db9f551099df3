import type { Budget } from './budget.ts';
import { op, reads } from './program.ts';
import type { Instruction, Program } from './program.ts';
import { classCount, classOf, lastTwo, trigramOf, wideLetters } from './trigrams.ts';
import type { Trigrams } from './trigrams.ts';

/** Characters of a text that are looked at, and places in all. What lies beyond counts as present. */
export const deepest = 12;
const maxPlaces = 1_000;
/** Steps that finding the places of a pattern may take, for each of its instructions. */
const stepsPerInstruction = 30;
/** Places that are visited for a text. */
const maxVisits = 300;
/** First trigrams that are kept. */
const maxFirst = 100;

/** A place between characters of matches. */
interface Place {
  number: number;
  /** A match may end here, or nothing is known of what follows. */
  ends: boolean;
  /** The classes of the next character, and where each leads. */
  classes: number[];
  next: Place[];
}

/** A tree of the classes of characters with which matches begin. Excludes most texts without a match by their trigrams, without a search. */
export class Beginnings {
  readonly #root: Place;
  /** The trigrams that matches begin with; null where one is shorter, or where they are many. */
  readonly #first: readonly number[] | null;

  private constructor(root: Place) {
    this.#root = root;
    const first = new Set<number>();
    this.#first = addFirst(root, 0, 0, first) ? [...first] : null;
  }

  /** Of texts in any case. @param texts not empty */
  static ofTexts(texts: Iterable<string>): Beginnings {
    const root = placeOf(0, false);
    let count = 1;
    for (const text of texts) {
      const classes = Array.from(text.slice(0, 2 * deepest), (character) => classOf(character.codePointAt(0) ?? 0));
      let place = root;
      for (const [depth, one] of classes.slice(0, deepest).entries()) {
        let next = place.next[place.classes.indexOf(one)];
        if (!next) {
          next = placeOf(count, false);
          count += 1;
          place.classes.push(one);
          place.next.push(next);
        }
        next.ends ||= depth === Math.min(classes.length, deepest) - 1 || count >= maxPlaces;
        if (next.ends) break;
        place = next;
      }
    }
    return new Beginnings(root);
  }

  /** Of the matches of a pattern that are not empty. */
  static ofProgram(program: Program): Beginnings {
    return new Beginnings(new PlacesOfProgram(program).root());
  }

  /** Whether a match may stand in a text. */
  mayStandIn(trigrams: Trigrams, budget?: Budget): boolean {
    const present = trigrams.table;
    if (this.#first && !anyOf(this.#first, present)) return false;
    const walk: Walk = { present, seen: null, left: maxVisits };
    const may = reachesEnd(this.#root, 0, 0, walk);
    budget?.spend(maxVisits - Math.max(0, walk.left));
    return may;
  }
}

function placeOf(number: number, ends: boolean): Place {
  return { number, ends, classes: [], next: [] };
}

function anyOf(trigrams: readonly number[], present: Uint8Array): boolean {
  for (let index = 0; index < trigrams.length; index += 1) if (present[trigrams[index] ?? 0] === 1) return true;
  return false;
}

/** Adds the trigrams that matches begin with. @returns false where a match may be shorter than a trigram, or there are too many */
function addFirst(place: Place, trigram: number, depth: number, first: Set<number>): boolean {
  if (depth === 3) first.add(trigram);
  else if (place.ends) return false;
  return (
    first.size <= maxFirst &&
    (depth === 3 ||
      place.next.every((next, index) => addFirst(next, trigramOf(trigram, place.classes[index] ?? 0), depth + 1, first)))
  );
}

interface Walk {
  present: Uint8Array;
  /** Places with the two characters before them that were visited. */
  seen: Set<number> | null;
  /** Visits that are left. */
  left: number;
}

/** Whether the characters behind a place may stand in the text, by its trigrams. @param trigram the classes of the characters before the place */
function reachesEnd(place: Place, trigram: number, depth: number, walk: Walk): boolean {
  if (place.ends) return true;
  walk.left -= 1;
  if (walk.left < 0) return true;
  if (depth > 2) {
    const key = place.number * classCount * classCount + lastTwo(trigram);
    const seen = (walk.seen ??= new Set());
    if (seen.has(key)) return false;
    seen.add(key);
  }
  const { classes, next } = place;
  for (let index = 0; index < classes.length; index += 1) {
    const longer = trigramOf(trigram, classes[index] ?? 0);
    if (depth >= 2 && walk.present[longer] === 0) continue;
    const following = next[index];
    if (!following || reachesEnd(following, longer, depth + 1, walk)) return true;
  }
  return false;
}

/** Finds the places of a pattern: the states of its automaton, which reads classes of characters. Assertions count as true. */
class PlacesOfProgram {
  readonly #program: Program;
  readonly #classesOf = new Map<number, number>();
  readonly #known = new Map<string, Place>();
  /** Places of which it is not known yet where they lead. */
  readonly #open: Array<{ place: Place; readers: readonly number[] }> = [];
  #steps: number;

  constructor(program: Program) {
    this.#program = program;
    this.#steps = stepsPerInstruction * program.instructions.length;
  }

  root(): Place {
    const root = placeOf(0, false);
    this.#open.push({ place: root, readers: this.#reached([this.#program.start]).readers });
    for (const { place, readers } of this.#open) {
      if (this.#steps < 0) {
        place.ends = true;
        continue;
      }
      for (const [one, targets] of this.#targets(readers)) {
        place.classes.push(one);
        place.next.push(this.#place(targets));
      }
    }
    return root;
  }

  #place(targets: readonly number[]): Place {
    const { readers, ends } = this.#reached(targets);
    const key = `${ends ? 1 : 0}${String.fromCharCode(...Uint16Array.from(readers).sort())}`;
    const known = this.#known.get(key);
    if (known) return known;
    const place = placeOf(this.#known.size + 1, ends || this.#known.size >= maxPlaces);
    this.#known.set(key, place);
    if (!place.ends) this.#open.push({ place, readers });
    return place;
  }

  /** Where some instructions lead, by the class of the character that they read. */
  #targets(readers: readonly number[]): Map<number, number[]> {
    const targets = new Map<number, number[]>();
    for (const pc of readers) {
      for (let left = this.#classes(pc); left !== 0; left &= left - 1) {
        this.#steps -= 1;
        const one = 31 - Math.clz32(left & -left);
        const known = targets.get(one) ?? [];
        known.push(this.#program.out[pc] ?? 0);
        targets.set(one, known);
      }
    }
    return targets;
  }

  /** The classes of which an instruction reads a character, as bits. */
  #classes(pc: number): number {
    const known = this.#classesOf.get(pc);
    if (known !== undefined) return known;
    const { instructions, ascii } = this.#program;
    let classes = 0;
    for (let unit = 0; unit < 128; unit += 1) {
      if ((((ascii[4 * pc + (unit >> 5)] ?? 0) >>> (unit & 31)) & 1) === 1) classes |= 1 << classOf(unit);
    }
    const instruction = instructions[pc];
    if (instruction && readsWide(instruction)) classes |= 1 << (classCount - 1);
    for (const wide of wideLetters) if (instruction && reads(instruction, wide)) classes |= 1 << classOf(wide);
    this.#classesOf.set(pc, classes);
    return classes;
  }

  /** The instructions that read a character next, and whether a match ends before it. */
  #reached(from: readonly number[]): { readers: readonly number[]; ends: boolean } {
    const { op: ops, out, arg } = this.#program;
    const seen = new Set(from);
    const readers: number[] = [];
    let ends = false;
    for (const pc of seen) {
      this.#steps -= 1;
      const kind = ops[pc] ?? op.fail;
      if (kind >= op.rune) readers.push(pc);
      else if (kind === op.match) ends = true;
      else if (kind !== op.fail) {
        seen.add(out[pc] ?? 0);
        if (kind === op.alt || kind === op.altMatch) seen.add(arg[pc] ?? 0);
      }
    }
    return { readers, ends };
  }
}

/** Whether an instruction may read a character beyond ASCII. */
function readsWide({ op: kind, runes }: Instruction): boolean {
  return kind === op.runeAny || kind === op.runeAnyNotNewline || (runes.at(-1) ?? 0) >= 128;
}
