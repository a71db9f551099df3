import type { RE2JS } from 're2js';

/** Operations of a compiled pattern, as re2js numbers them. */
export const op = {
  alt: 1,
  altMatch: 2,
  capture: 3,
  emptyWidth: 4,
  fail: 5,
  match: 6,
  nop: 7,
  rune: 8,
  rune1: 9,
  runeAny: 10,
  runeAnyNotNewline: 11,
} as const;

/** Flags of assertions, as re2js numbers them. */
const assertion = { beginLine: 1, endLine: 2, beginText: 4, endText: 8, wordBoundary: 16, noWordBoundary: 32 } as const;

/** Assertions whose truth depends on the next character. */
export const forwardAssertions: number =
  assertion.endLine | assertion.endText | assertion.wordBoundary | assertion.noWordBoundary;

export interface Instruction {
  op: number;
  out: number;
  arg: number;
  /** Ranges of characters, or one character. */
  runes: Int32Array;
  matchRune(rune: number): boolean;
}

/** A compiled pattern, with what a search needs to know of it. */
export interface Program {
  start: number;
  instructions: readonly Instruction[];
  /** The fields of the instructions, for loops. */
  op: Uint8Array;
  out: Int32Array;
  arg: Int32Array;
  /** For each instruction four words of 32 bits: the ASCII characters that it reads. */
  ascii: Uint32Array;
  /** For each instruction, those that lead to it without reading a character. */
  sources: readonly number[][];
  /** Instructions that read a character. */
  readers: readonly number[];
  /** Whether a match can begin with a character below U+0100. */
  first: Uint8Array;
  /** Instructions that read the first character of a match. */
  firstReaders: readonly number[];
}

/** The program of a pattern that re2js compiled. */
export function programOf(pattern: RE2JS): Program {
  const { inst, start } = pattern.re2Input.prog as { inst: Instruction[]; start: number };
  const sources: number[][] = inst.map(() => []);
  const readers: number[] = [];
  for (const [pc, instruction] of inst.entries()) {
    if (instruction.op >= op.rune) readers.push(pc);
    else for (const target of targetsOf(instruction)) sources[target]?.push(pc);
  }
  const firstReaders = [...reachable(inst, start)].filter((pc) => (inst[pc]?.op ?? 0) >= op.rune);
  const first = new Uint8Array(256);
  for (let rune = 0; rune < 256; rune += 1) {
    first[rune] = firstReaders.some((pc) => inst[pc] && reads(inst[pc], rune)) ? 1 : 0;
  }
  return { start, instructions: inst, ...fieldsOf(inst), ascii: asciiOf(inst, readers), sources, readers, first, firstReaders };
}

function fieldsOf(instructions: readonly Instruction[]): Pick<Program, 'op' | 'out' | 'arg'> {
  return {
    op: Uint8Array.from(instructions, (instruction) => instruction.op),
    out: Int32Array.from(instructions, ({ out }) => out),
    arg: Int32Array.from(instructions, ({ arg }) => arg),
  };
}

function asciiOf(instructions: readonly Instruction[], readers: readonly number[]): Uint32Array {
  const bits = new Uint32Array(4 * instructions.length);
  // Repetitions copy their instructions, so single characters are looked up once.
  const known = new Map<string, number>();
  const set = (pc: number, rune: number) => {
    bits[4 * pc + (rune >> 5)] = (bits[4 * pc + (rune >> 5)] ?? 0) | (1 << (rune & 31));
  };
  for (const pc of readers) {
    const instruction = instructions[pc];
    if (!instruction) continue;
    const { op: kind, arg, runes } = instruction;
    if (kind === op.rune && runes.length > 1) {
      // Ranges, ascending.
      for (let index = 0; index < runes.length && (runes[index] ?? 128) < 128; index += 2) {
        const last = Math.min(127, runes[index + 1] ?? 0);
        for (let rune = runes[index] ?? 128; rune <= last; rune += 1) set(pc, rune);
      }
      continue;
    }
    const key = `${kind} ${arg} ${runes[0]}`;
    const same = known.get(key);
    if (same !== undefined) bits.copyWithin(4 * pc, 4 * same, 4 * same + 4);
    else for (let rune = 0; rune < 128; rune += 1) if (reads(instruction, rune)) set(pc, rune);
    known.set(key, pc);
  }
  return bits;
}

/** Whether the instruction of a program reads a character. */
export function readsAt({ ascii, instructions }: Program, pc: number, rune: number): boolean {
  if (rune < 128) return (((ascii[4 * pc + (rune >> 5)] ?? 0) >>> (rune & 31)) & 1) === 1;
  const instruction = instructions[pc];
  return instruction !== undefined && reads(instruction, rune);
}

/** Whether an instruction reads a character. */
export function reads(instruction: Instruction, rune: number): boolean {
  if (instruction.op === op.runeAny) return true;
  if (instruction.op === op.runeAnyNotNewline) return rune !== 10;
  return instruction.matchRune(rune);
}

/** Assertions that hold between two characters; -1 stands for the start or the end of the text. */
export function assertionsBetween(before: number, after: number): number {
  let flags = isWord(before) === isWord(after) ? assertion.noWordBoundary : assertion.wordBoundary;
  if (before < 0) flags |= assertion.beginText | assertion.beginLine;
  if (before === 10) flags |= assertion.beginLine;
  if (after < 0) flags |= assertion.endText | assertion.endLine;
  if (after === 10) flags |= assertion.endLine;
  return flags;
}

/** Where an instruction that reads no character leads. */
function targetsOf(instruction: Instruction): number[] {
  if (instruction.op === op.match || instruction.op === op.fail) return [];
  if (instruction.op === op.alt || instruction.op === op.altMatch) return [instruction.out, instruction.arg];
  return [instruction.out];
}

function reachable(instructions: readonly Instruction[], start: number): Set<number> {
  const seen = new Set([start]);
  for (const pc of seen) {
    const instruction = instructions[pc];
    if (instruction && instruction.op < op.rune) for (const target of targetsOf(instruction)) seen.add(target);
  }
  return seen;
}

/** ASCII letters, digits and `_`. */
export function isWord(rune: number): boolean {
  return (rune >= 97 && rune <= 122) || (rune >= 48 && rune <= 57) || (rune >= 65 && rune <= 90) || rune === 95;
}
