import { OverBudget } from './budget.ts';
import type { Budget } from './budget.ts';
import { assertionsAt, runeBefore } from './linear-search.ts';
import { forwardAssertions, op, readsAt } from './program.ts';
import type { Program } from './program.ts';

/** The length of the text that appended text cannot change: a high surrogate at its end may become half of a pair. */
export function settledLength(text: string): number {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? text.length - 1 : text.length;
}

/**
 * Offsets at which a match may begin that depends on text not seen yet, descending: reading from there, the pattern's automaton reaches the end of the
 * text. One pass from the end backwards, which stops where no state is left. Assertions inside a pattern count as true, so there may be
 * more offsets than necessary, never fewer. Over the budget: every offset, as `[0]`.
 */
export function openStarts(program: Program, text: string, budget: Budget): number[] {
  try {
    return backwards(program, text, budget);
  } catch (error) {
    if (error instanceof OverBudget) return [0];
    throw error;
  }
}

function backwards(program: Program, text: string, budget: Budget): number[] {
  const { instructions, readers, out } = program;
  const starts: number[] = [];
  let alive: number[] = [...readers];
  for (const [pc, { op: kind, arg }] of instructions.entries()) {
    if (kind === op.emptyWidth && (arg & forwardAssertions) !== 0) alive.push(pc);
  }
  // Instructions that lead to those alive are marked with the number of the round.
  const marks = new Int32Array(instructions.length);
  let round = 1;
  markSources(program, alive, { marks, round }, budget);
  for (let at = settledLength(text); at > 0 && alive.length > 0;) {
    const rune = runeBefore(text, at);
    at -= rune > 0xffff ? 2 : 1;
    budget.spend(readers.length);
    const next: number[] = [];
    for (const pc of readers) if (marks[out[pc] ?? 0] === round && readsAt(program, pc, rune)) next.push(pc);
    alive = next;
    round += 1;
    markSources(program, alive, { marks, round }, budget);
    if (marks[program.start] === round && begins(program, new Set(alive), text, at)) starts.push(at);
  }
  return starts;
}

/** Marks some instructions and those that lead to one of them without reading a character. */
function markSources(
  program: Program,
  targets: readonly number[],
  { marks, round }: { marks: Int32Array; round: number },
  budget: Budget,
): void {
  const waiting = [...targets];
  let found = 0;
  for (let pc = waiting.pop(); pc !== undefined; pc = waiting.pop()) {
    if (marks[pc] === round) continue;
    marks[pc] = round;
    found += 1;
    for (const source of program.sources[pc] ?? []) waiting.push(source);
  }
  budget.spend(found);
}

/** Whether the assertions at an offset let a match begin there with one of some instructions. */
function begins(program: Program, alive: ReadonlySet<number>, text: string, at: number): boolean {
  const flags = assertionsAt(text, at);
  const seen = new Set([program.start]);
  for (const pc of seen) {
    const instruction = program.instructions[pc];
    if (!instruction) continue;
    if (alive.has(pc)) return true;
    if (instruction.op >= op.rune || instruction.op === op.match || instruction.op === op.fail) continue;
    if (instruction.op === op.emptyWidth && (instruction.arg & ~flags) !== 0) continue;
    seen.add(instruction.out);
    if (instruction.op === op.alt || instruction.op === op.altMatch) seen.add(instruction.arg);
  }
  return false;
}
