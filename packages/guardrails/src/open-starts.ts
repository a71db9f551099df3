import { OverBudget } from './budget.ts';
import type { Budget } from './budget.ts';
import { assertionsAt, runeBefore } from './linear-search.ts';
import { forwardAssertions, op, reads } from './program.ts';
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
  const { instructions } = program;
  const starts: number[] = [];
  let alive: number[] = [...program.readers];
  for (const [pc, { op: kind, arg }] of instructions.entries()) {
    if (kind === op.emptyWidth && (arg & forwardAssertions) !== 0) alive.push(pc);
  }
  let reaching = leadingTo(program, alive, budget);
  for (let at = settledLength(text); at > 0 && alive.length > 0;) {
    const rune = runeBefore(text, at);
    at -= rune > 0xffff ? 2 : 1;
    const reached = reaching;
    budget.spend(program.readers.length);
    alive = program.readers.filter((pc) => {
      const instruction = instructions[pc];
      return instruction !== undefined && reached.has(instruction.out) && reads(instruction, rune);
    });
    reaching = leadingTo(program, alive, budget);
    if (reaching.has(program.start) && begins(program, new Set(alive), text, at)) starts.push(at);
  }
  return starts;
}

/** Instructions that lead to one of some instructions without reading a character, and these. */
function leadingTo(program: Program, targets: readonly number[], budget: Budget): Set<number> {
  const found = new Set(targets);
  for (const pc of found) for (const source of program.sources[pc] ?? []) found.add(source);
  budget.spend(found.size);
  return found;
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
