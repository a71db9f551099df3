import { Beginnings, deepest } from './beginnings.ts';
import { Budget, OverBudget } from './budget.ts';
import { LinearSearch } from './linear-search.ts';
import type { Span } from './linear-search.ts';
import { openStarts, settledLength } from './open-starts.ts';
import { PatternError } from './pattern.ts';
import type { PatternErrorCode } from './pattern.ts';
import { PatternPool } from './pattern-pool.ts';
import type { PartialPass } from './pattern-pool.ts';
import type { Program } from './program.ts';
import { requiredLiteral } from './required-literal.ts';
import { TextWork } from './text-work.ts';

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
  /** Makes ready what a first search needs, in steps of a pattern each. Without it the first search does. */
  prepare(): Generator<void, void>;
  /** An offset of a text that may continue before which no match begins that what is appended changes. Less exact than `safeUntil`, and faster. */
  openFrom(work: TextWork, only: ReadonlySet<number>, budget: Budget): number;
}

export interface FindOptions {
  /** Largest number of matches, 1 or more; 100 by default. Each match may cost one more pass over the text. */
  limit?: number;
  /** Counts the steps of the search; none by default. */
  budget?: Budget;
  /** The text may continue: `safeUntil` is wanted. False by default. */
  open?: boolean;
  /** Offset at which the search begins; what stands before it is context. 0 by default. */
  from?: number;
  /** Only these patterns are searched for, by their index; all by default. */
  only?: ReadonlySet<number>;
  /** Of the same text: what searches with it have found out already. */
  work?: TextWork;
}

interface Compiled {
  /** Its position in the set. */
  index: number;
  label: string;
  program: Program;
  /** What matches begin with. */
  beginnings(): Beginnings;
  /** What the quick test looks for. */
  filter(): Beginnings;
  /** False for most texts without a match; true where a search has to decide. */
  mayMatch(work: TextWork, budget?: Budget): boolean;
}

/**
 * Compiles patterns into a set.
 *
 * @param pool the patterns of this set and of others that search the same texts
 *
 * Errors: {@link PatternSetError}, which names every pattern that is refused.
 */
export function compilePatterns(configs: readonly PatternConfig[], pool: PatternPool = new PatternPool()): PatternSet {
  const compiled = compileAll(configs, pool);
  let passes: readonly PartialPass[] | null = null;
  const candidates = (work: TextWork, budget?: Budget) => {
    passes ??= pool.passesOf(configs);
    return passes.flatMap((pass) => candidatesOf(pass, work, budget)).sort((a, b) => a - b);
  };
  return {
    size: compiled.reduce((sum, { program }) => sum + program.instructions.length, 0),
    candidates: (text) => candidates(new TextWork(text)),
    *prepare() {
      for (const { filter } of compiled) {
        filter();
        yield;
      }
    },
    openFrom(work, only, budget) {
      // A match of which less than its beginning is there yet begins near the end.
      const near = Math.max(0, settledLength(work.text) - 2 * deepest);
      const begun = compiled.filter(({ index, beginnings }) => only.has(index) && beginnings().mayStandIn(work.trigrams, budget));
      return Math.min(near, ...allOpenStarts(work, begun, budget));
    },
    find(text, options = {}) {
      options.budget?.spend((text.length * configs.length) >> 3);
      const { work = new TextWork(text), only } = options;
      const wanted = only ? compiled.filter((_, index) => only.has(index)) : compiled;
      if (options.open !== true && !wanted.some((pattern) => pattern.mayMatch(work, options.budget)))
        return { matches: [], truncated: false, safeUntil: text.length };
      const found = new Set(candidates(work, options.budget));
      return findMatches(
        work,
        wanted,
        wanted.filter(({ index }) => found.has(index)),
        options,
      );
    },
  };
}

function compileAll(configs: readonly PatternConfig[], pool: PatternPool): Compiled[] {
  const problems: PatternProblem[] = [];
  const compiled: Compiled[] = [];
  for (const [index, config] of configs.entries()) {
    try {
      const program = pool.programOf(config);
      let known: Beginnings | null = null;
      const beginnings = () => (known ??= Beginnings.ofProgram(program));
      compiled.push({ index, label: config.label ?? defaultLabel, program, beginnings, ...filterOf(config, beginnings) });
    } catch (error) {
      if (!(error instanceof PatternError)) throw error;
      problems.push({ index, code: error.code, message: error.message });
    }
  }
  if (problems.length > 0) throw new PatternSetError(problems);
  return compiled;
}

/** A quick test for a pattern that excludes most texts without a match: by a literal that every match contains, or else by the beginnings of matches. */
function filterOf(
  { pattern, ignoreCase = false }: PatternConfig,
  ofProgram: () => Beginnings,
): Pick<Compiled, 'filter' | 'mayMatch'> {
  const literal = requiredLiteral(pattern);
  // Not made at once: a set that is only validated needs none.
  let known: Beginnings | null = null;
  const filter = () => (known ??= literal === null ? ofProgram() : Beginnings.ofTexts([literal]));
  return {
    filter,
    mayMatch: ({ text, trigrams }, budget) =>
      filter().mayStandIn(trigrams, budget) && (literal === null || ignoreCase || text.includes(literal)),
  };
}

/** Indices of the patterns that a pass finds in a text; all of its patterns where it takes too many steps. Errors: OverBudget. */
function candidatesOf({ pass, members }: PartialPass, work: TextWork, budget?: Budget): number[] {
  let found = work.candidates.get(pass);
  if (found === undefined) {
    const indices = affordable(maxSetSteps, budget, (own) => pass.candidates(work.text, own));
    found = indices && new Set(indices);
    work.candidates.set(pass, found);
  }
  budget?.spend(members.length);
  return members.flatMap(({ inPass, inSet }) => (found === null || found.has(inPass) ? inSet : []));
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

/** A pattern that is searched for, and its next match. */
interface Search {
  pattern: Compiled;
  search: LinearSearch;
  match: Span | null;
}

function findMatches(
  work: TextWork,
  wanted: readonly Compiled[],
  candidates: readonly Compiled[],
  options: FindOptions,
): PatternMatches {
  const { limit = defaultLimit, budget = new Budget(Infinity), open = false } = options;
  const { text } = work;
  const matches: PatternMatch[] = [];
  const starts = open ? allOpenStarts(work, wanted, budget) : [];
  let safeUntil = open ? settledLength(text) : text.length;
  let truncated = false;
  let settled = open;
  let searches = candidates.map((pattern): Search => ({ pattern, search: searchFor(pattern.program, work), match: null }));
  for (let { from = 0 } = options; ;) {
    for (const one of searches) if (!one.match || one.match.start < from) one.match = one.search.find(from, budget);
    searches = searches.filter(({ match }) => match);
    const next = firstOf(searches);
    if (settled) {
      const start = openStartFrom(starts, from);
      if (start <= (next?.start ?? text.length)) {
        safeUntil = Math.min(safeUntil, start);
        settled = false;
      }
    }
    if (!next) return { matches, truncated, safeUntil };
    if (matches.length >= limit) truncated = true;
    if (truncated && !settled) return { matches, truncated, safeUntil };
    if (!truncated) matches.push(next);
    from = next.end;
  }
}

/** The search for a pattern, which all guardrails of a check share. */
function searchFor(program: Program, work: TextWork): LinearSearch {
  const search = work.searches.get(program) ?? new LinearSearch(program, work.text);
  work.searches.set(program, search);
  return search;
}

/** The offsets of all patterns at which a match may begin that depends on text not seen yet, descending. */
function allOpenStarts(work: TextWork, wanted: readonly Compiled[], budget: Budget): number[] {
  const starts = wanted.map(({ program }) => {
    const known = work.openStarts.get(program) ?? openStarts(program, work.text, budget);
    work.openStarts.set(program, known);
    budget.spend(known.length);
    return known;
  });
  return starts.flat().sort((a, b) => b - a);
}

/** Takes the offsets below `from` off a descending list; the smallest one that is left, or Infinity. */
function openStartFrom(starts: number[], from: number): number {
  while ((starts.at(-1) ?? from) < from) starts.pop();
  return starts.at(-1) ?? Infinity;
}

/** The leftmost match, of those the longest, of those the one of the first pattern. */
function firstOf(searches: readonly Search[]): PatternMatch | undefined {
  let best: PatternMatch | undefined;
  for (const { match, pattern } of searches) {
    if (!match) continue;
    const { start, end } = match;
    if (!best || start < best.start || (start === best.start && end > best.end)) {
      best = { start, end, label: pattern.label, pattern: pattern.index };
    }
  }
  return best;
}
