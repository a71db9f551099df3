import { RE2Set } from 're2js';
import type { Matcher, RE2JS } from 're2js';
import { compileLinear, PatternError, setSyntax } from './pattern.ts';
import type { PatternErrorCode } from './pattern.ts';

/** Largest automaton of a set pass, in instructions: no larger than one pattern may be. */
const maxSetInstructions = 5_000;
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
}

interface Compiled {
  label: string;
  linear: RE2JS;
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
      compiled.push({ label, linear: compileLinear(pattern, { ignoreCase }) });
    } catch (error) {
      if (!(error instanceof PatternError)) throw error;
      problems.push({ index, code: error.code, message: error.message });
    }
  }
  if (problems.length > 0) throw new PatternSetError(problems);
  const passes = setPasses(compiled.map(({ linear }) => linear));
  const candidates = (text: string) => passes.flatMap(({ first, set }) => set.match(text).map((index) => first + index));
  return {
    size: compiled.reduce((sum, { linear }) => sum + linear.programSize(), 0),
    candidates,
    find: (text, { limit = defaultLimit } = {}) => findMatches(text, compiled, candidates(text), limit),
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

/** Where a pattern matches next. */
interface Search {
  pattern: number;
  matcher: Matcher;
  start: number;
  end: number;
}

function findMatches(text: string, compiled: readonly Compiled[], candidates: readonly number[], limit: number): PatternMatches {
  const matches: PatternMatch[] = [];
  let searches: Search[] = candidates.flatMap((pattern) => {
    const matcher = compiled[pattern]?.linear.matcher(text);
    return matcher ? [{ pattern, matcher, start: -1, end: -1 }] : [];
  });
  for (let from = 0; ;) {
    searches = searches.filter((search) => search.start >= from || advance(search, text, from));
    const next = firstOf(searches);
    if (!next) return { matches, truncated: false };
    if (matches.length >= limit) return { matches, truncated: true };
    const { pattern, start, end } = next;
    matches.push({ start, end, label: compiled[pattern]?.label ?? defaultLabel, pattern });
    from = end;
  }
}

/** Moves a search to the pattern's first match at or after an offset that is not empty; false when there is none. */
function advance(search: Search, text: string, from: number): boolean {
  const { matcher } = search;
  for (let at = from; at < text.length && matcher.find(at);) {
    search.start = matcher.start();
    search.end = matcher.end();
    if (search.end > search.start) return true;
    at = search.end + ((text.codePointAt(search.end) ?? 0) > 0xffff ? 2 : 1);
  }
  return false;
}

/** The leftmost match, of those the longest, of those the one of the first pattern. */
function firstOf(searches: readonly Search[]): Search | undefined {
  let best: Search | undefined;
  for (const search of searches) {
    if (!best || search.start < best.start || (search.start === best.start && search.end > best.end)) best = search;
  }
  return best;
}
