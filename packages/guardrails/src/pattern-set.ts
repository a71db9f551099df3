import { RE2Set } from 're2js';
import type { RE2JS } from 're2js';
import { Budget } from './budget.ts';
import { LinearSearch } from './linear-search.ts';
import { openStarts, settledLength } from './open-starts.ts';
import { compileLinear, PatternError, setSyntax } from './pattern.ts';
import type { PatternErrorCode } from './pattern.ts';
import { programOf } from './program.ts';
import type { Program } from './program.ts';

/** Largest automaton of a set pass, in instructions: no larger than one pattern may be. */
const maxSetInstructions = 5_000;
/** Largest product of size and length of the text for which the set pass runs. */
const maxSetSteps = 20_000_000;
const defaultLimit = 100;
const defaultLabel = 'match';

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
  linear: RE2JS;
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
      const linear = compileLinear(pattern, { ignoreCase });
      compiled.push({ label, linear, program: programOf(linear) });
    } catch (error) {
      if (!(error instanceof PatternError)) throw error;
      problems.push({ index, code: error.code, message: error.message });
    }
  }
  if (problems.length > 0) throw new PatternSetError(problems);
  const passes = setPasses(compiled.map(({ linear }) => linear));
  const size = compiled.reduce((sum, { linear }) => sum + linear.programSize(), 0);
  const candidates = (text: string) => passes.flatMap(({ first, set }) => set.match(text).map((index) => first + index));
  return {
    size,
    candidates,
    find(text, options = {}) {
      // The set pass does not count its steps: a text for which its worst case is too slow is searched without it.
      const affordable = size * text.length <= maxSetSteps;
      if (affordable) options.budget?.spend(text.length);
      return findMatches(text, compiled, affordable ? candidates(text) : [...compiled.keys()], options);
    },
  };
}

/** Automata that each match several patterns at once; `first` is the index of its first pattern. */
function setPasses(patterns: readonly RE2JS[]): Array<{ first: number; set: RE2Set }> {
  const passes: Array<{ first: number; set: RE2Set }> = [];
  let room = 0;
  for (const [index, pattern] of patterns.entries()) {
    let pass = passes.at(-1);
    if (!pass || pattern.programSize() > room) {
      pass = { first: index, set: new RE2Set() };
      passes.push(pass);
      room = maxSetInstructions;
    }
    pass.set.add(setSyntax(pattern));
    room -= pattern.programSize();
  }
  for (const { set } of passes) set.compile();
  return passes;
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
