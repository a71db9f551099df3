import { Budget, OverBudget } from './budget.ts';
import { LinearSearch } from './linear-search.ts';
import { openStarts, settledLength } from './open-starts.ts';
import { compileLinear, PatternError } from './pattern.ts';
import type { PatternErrorCode } from './pattern.ts';
import { programOf } from './program.ts';
import type { Program } from './program.ts';
import { requiredLiteral } from './required-literal.ts';
import { SetPass } from './set-pass.ts';

/** Largest automaton of a set pass, in instructions: no larger than one pattern may be. */
const maxSetInstructions = 5_000;
/** Steps that the set pass may take over one text. Where it needs more, every pattern is searched for. */
const maxSetSteps = 8_000_000;
const defaultLimit = 100;
/** The label of matches of a pattern that has none. */
export const defaultLabel = 'match';

/** One pattern of a set, as a guardrail's configuration gives it. */
export interface PatternConfig {
  /** RE2 syntax; see `compilePattern`. */
  pattern: string;
  /** Name of its matches; `match` by default. */
  label?: string | undefined;
  /** Letters match in either case; false by default. */
  ignoreCase?: boolean | undefined;
}

/** A match; offsets are in UTF-16 units of the text, the end is exclusive. Never empty. */
export interface PatternMatch {
  start: number;
  end: number;
  label: string;
  /** Index of the pattern in the set. */
  pattern: number;
}

export interface PatternMatches {
  /** In the order of the text, without overlaps. */
  matches: PatternMatch[];
  /** Whether there are more matches than were asked for. */
  truncated: boolean;
  /** Whatever is appended to the text, no match that begins before this offset appears, grows or goes. The length unless `open` is given. */
  safeUntil: number;
}

/** Why one pattern of a set is refused. */
export interface PatternProblem {
  /** Index of the pattern in the set. */
  index: number;
  code: PatternErrorCode;
  /** Completes the sentence "The pattern ...". */
  message: string;
}

/** Some patterns of a set are refused. */
export class PatternSetError extends Error {
  /** One for each refused pattern, by index. Not empty. */
  readonly problems: readonly PatternProblem[];

  constructor(problems: readonly PatternProblem[]) {
    super(problems.map(({ index, message }) => `Pattern ${index} ${message}.`).join('\n'));
    this.name = 'PatternSetError';
    this.problems = problems;
  }
}

/** Patterns that are searched for together. */
export interface PatternSet {
  /** Sum of the sizes of the patterns, in instructions. */
  readonly size: number;
  /** Indices of the patterns that match somewhere in the text, be it an empty match, ascending. One pass over the text. */
  candidates(text: string): number[];
  /**
   * The matches of all patterns: leftmost first, then longest, then the first pattern; the search continues at the end of a match. Within a
   * pattern alternatives and lazy repetitions count as written. Empty matches are left out.
   */
  find(text: string, options?: FindOptions): PatternMatches;
}

export interface FindOptions {
  /** Largest number of matches, 1 or more; 100 by default. Each match may cost one more pass over the text. */
  limit?: number;
  /** Counts the steps of the search; none by default. */
  budget?: Budget;
  /** The text may continue: `safeUntil` is wanted. False by default. */
  open?: boolean;
}

interface Compiled {
  label: string;
  program: Program;
}

/**
 * Compiles patterns into a set.
 *
 * Errors: {@link PatternSetError}, which names every pattern that is refused.
 */
export function compilePatterns(configs: readonly PatternConfig[]): PatternSet {
  const problems: PatternProblem[] = [];
  const compiled: Compiled[] = [];
  for (const [index, { pattern, label = defaultLabel, ignoreCase = false }] of configs.entries()) {
    try {
      compiled.push({ label, program: programOf(compileLinear(pattern, { ignoreCase })) });
    } catch (error) {
      if (!(error instanceof PatternError)) throw error;
      problems.push({ index, code: error.code, message: error.message });
    }
  }
  if (problems.length > 0) throw new PatternSetError(problems);
  const programs = compiled.map(({ program }) => program);
  const passes = setPasses(programs);
  const candidates = (text: string, budget: Budget) =>
    passes.flatMap(({ first, pass }) => pass.candidates(text, budget).map((index) => first + index));
  const literals = configs.map(({ pattern, ignoreCase = false }) => (ignoreCase ? null : requiredLiteral(pattern)));
  const mayMatch = (text: string) => literals.some((literal) => literal === null || text.includes(literal));
  return {
    size: programs.reduce((sum, { instructions }) => sum + instructions.length, 0),
    candidates: (text) => candidates(text, new Budget(Infinity)),
    find(text, options = {}) {
      options.budget?.spend((text.length * literals.length) >> 3);
      if (options.open !== true && !mayMatch(text)) return { matches: [], truncated: false, safeUntil: text.length };
      const found = affordable(maxSetSteps, options.budget, (budget) => candidates(text, budget));
      return findMatches(text, compiled, found ?? [...compiled.keys()], options);
    },
  };
}

/** Does work that may take some steps, which the budget is charged for; null where it needs more. Errors: OverBudget. */
function affordable<T>(steps: number, budget: Budget | undefined, work: (own: Budget) => T): T | null {
  const own = new Budget(Math.min(steps, budget?.left ?? Infinity));
  const before = own.left;
  try {
    return work(own);
  } catch (error) {
    if (error instanceof OverBudget) return null;
    throw error;
  } finally {
    budget?.spend(before - Math.max(0, own.left));
  }
}

/** Automata that each match several patterns at once; `first` is the index of its first pattern. */
function setPasses(programs: readonly Program[]): Array<{ first: number; pass: SetPass }> {
  const groups: Array<{ first: number; members: Program[] }> = [];
  let room = 0;
  for (const [index, program] of programs.entries()) {
    const size = program.instructions.length;
    let group = groups.at(-1);
    if (!group || size > room) {
      group = { first: index, members: [] };
      groups.push(group);
      room = maxSetInstructions;
    }
    group.members.push(program);
    room -= size;
  }
  return groups.map(({ first, members }) => ({ first, pass: new SetPass(members) }));
}

function findMatches(
  text: string,
  compiled: readonly Compiled[],
  candidates: readonly number[],
  options: FindOptions,
): PatternMatches {
  const { limit = defaultLimit, budget = new Budget(Infinity), open = false } = options;
  const matches: PatternMatch[] = [];
  const starts = open ? allOpenStarts(text, compiled, budget) : [];
  let safeUntil = open ? settledLength(text) : text.length;
  let truncated = false;
  let settled = open;
  let searches = candidates.flatMap((pattern) => {
    const program = compiled[pattern]?.program;
    return program ? [{ pattern, search: new LinearSearch(program, text, budget) }] : [];
  });
  for (let from = 0; ;) {
    searches = searches.filter(({ search }) => search.start >= from || search.find(from));
    const next = firstOf(searches);
    if (settled) {
      const start = openStartFrom(starts, from);
      if (start <= (next?.search.start ?? text.length)) {
        safeUntil = Math.min(safeUntil, start);
        settled = false;
      }
    }
    if (!next) return { matches, truncated, safeUntil };
    if (matches.length >= limit) truncated = true;
    if (truncated && !settled) return { matches, truncated, safeUntil };
    const { start, end } = next.search;
    if (!truncated) matches.push({ start, end, label: compiled[next.pattern]?.label ?? defaultLabel, pattern: next.pattern });
    from = end;
  }
}

/** The offsets of all patterns at which a match may begin that depends on text not seen yet, descending. */
function allOpenStarts(text: string, compiled: readonly Compiled[], budget: Budget): number[] {
  return compiled.flatMap(({ program }) => openStarts(program, text, budget)).sort((a, b) => b - a);
}

/** Takes the offsets below `from` off a descending list; the smallest one that is left, or Infinity. */
function openStartFrom(starts: number[], from: number): number {
  while ((starts.at(-1) ?? from) < from) starts.pop();
  return starts.at(-1) ?? Infinity;
}

/** The leftmost match, of those the longest, of those the one of the first pattern. */
function firstOf<T extends { search: LinearSearch }>(searches: readonly T[]): T | undefined {
  let best: T | undefined;
  for (const candidate of searches) {
    const { start, end } = candidate.search;
    if (!best || start < best.search.start || (start === best.search.start && end > best.search.end)) best = candidate;
  }
  return best;
}
