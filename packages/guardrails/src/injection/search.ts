import type { Budget } from '../budget.ts';
import type { DetectOptions } from '../detector.ts';
import type { Match } from '../match.ts';
import { PatternPool } from '../pattern-pool.ts';
import { compilePatterns } from '../pattern-set.ts';
import type { PatternSet } from '../pattern-set.ts';
import { injectionPatterns } from './injection-patterns.ts';
import { isSpace, longestPhrase, Reading, SettledReading } from './reading.ts';
import type { Form } from './reading.ts';

const label = 'prompt_injection';
/** Steps of a unit: its normal form, its features, its segment. */
const stepsPerUnit = 12;
/** A match and how sure it is, 0 to 1. */
export interface Scored extends Match {
  score: number;
}

interface Found {
  matches: Scored[];
  truncated: boolean;
}

/** What was found in a text, in order and without overlaps. */
export interface InjectionSearch extends Found {
  safeUntil: number;
}

/** A pattern without spaces between words. */
function unspaced(pattern: string): string {
  return pattern.replaceAll(String.raw`\s+`, String.raw`\s*`).replaceAll(String.raw`\b`, '');
}

/** The patterns of words and of letters that stand together: one set each for all thresholds, so that guardrails with different ones share its work on a text. */
const sources = {
  words: injectionPatterns.map(({ pattern }) => ({ pattern, label, ignoreCase: true })),
  letters: injectionPatterns.map(({ pattern }) => ({ pattern: unspaced(pattern), label, ignoreCase: true })),
} as const;
const pool = new PatternPool();
const sets = new Map<keyof typeof sources, PatternSet>();
const prepared = new Set<keyof typeof sources>();

function setOf(name: keyof typeof sources): PatternSet {
  const set = sets.get(name) ?? compilePatterns(sources[name], pool);
  sets.set(name, set);
  return set;
}

/** Compiles the patterns in steps of one each; those that are compiled take none. */
export function* prepareInjections(): Generator<void, void> {
  for (const name of ['words', 'letters'] as const) {
    if (prepared.has(name)) continue;
    for (const source of sources[name]) {
      pool.programOf(source);
      yield;
    }
    yield* setOf(name).prepare();
    prepared.add(name);
  }
}

/**
 * Injected instructions in a text: phrases of patterns and segments that the model finds, in the text as it reads (`plainText`), without what splits words, in
 * words set apart letter by letter, and in what it holds in Base64. Errors: OverBudget.
 */
export function searchInjections(options: DetectOptions, threshold: number): InjectionSearch {
  const { work, open, limit } = options;
  const whole = findAll({ ...options, open: false }, threshold);
  const matches = withoutOverlaps(whole.matches);
  return {
    matches: matches.slice(0, limit),
    truncated: whole.truncated || matches.length > limit,
    safeUntil: open ? safeLength(options, threshold) : work.text.length,
  };
}

/** Up to where no appended text changes anything: what may still be open in the part whose form is settled. */
function safeLength({ work, budget }: DetectOptions, threshold: number): number {
  const { length, judgedUntil, ends } = work.shared(SettledReading, () => {
    budget.spend(stepsPerUnit * work.text.length);
    return new SettledReading(work.text);
  });
  const open = ends.map(({ form, start, work: end }) =>
    form.originalOffset(start + setOf('words').openFrom(end, wanted(threshold, true), budget), length),
  );
  return Math.min(length, judgedUntil, ...open);
}

/** What all ways of reading a text find; overlaps are left. */
function findAll(options: DetectOptions, threshold: number): Found {
  const { work, budget, from } = options;
  const { plain, joined, letters, decoded } = work.shared(Reading, () => {
    budget.spend(stepsPerUnit * work.text.length);
    const reading = new Reading(work);
    for (const { form } of reading.decoded) budget.spend(stepsPerUnit * form.work.text.length);
    return reading;
  });
  const parts = [findIn(plain, options, { threshold, set: setOf('words') }), judge(plain, from, threshold)];
  if (joined) parts.push(findIn(joined, options, { threshold, set: setOf('words') }));
  for (const run of letters) parts.push(findIn(run, options, { threshold, set: setOf('letters') }));
  const inBase64 = decoded.flatMap((one) => decodedMatch(one, budget, threshold));
  return {
    matches: [...parts.flatMap(({ matches }) => matches), ...inBase64].filter(({ start }) => start >= from),
    truncated: parts.some(({ truncated }) => truncated),
  };
}

/** Letters beyond Latin ones, without which patterns of other scripts match nothing. */
const otherScripts = /[\u0370-\u1fff\u2e80-\uffff]/;
const wantedOf = new Map<string, ReadonlySet<number>>();

/** The patterns whose score counts. */
function wanted(threshold: number, hasOtherScripts: boolean): ReadonlySet<number> {
  const key = `${threshold} ${hasOtherScripts}`;
  const known = wantedOf.get(key);
  if (known) return known;
  const indices = injectionPatterns.flatMap(({ score, pattern }, index) =>
    score >= threshold && (hasOtherScripts || !otherScripts.test(pattern.slice(0, 12))) ? [index] : [],
  );
  if (wantedOf.size > 100) wantedOf.clear();
  const made = new Set(indices);
  wantedOf.set(key, made);
  return made;
}

interface Wanted {
  threshold: number;
  set: PatternSet;
}

/** What patterns find in a form of a text. */
function findIn({ form, work }: Form, options: DetectOptions, { threshold, set }: Wanted): Found {
  const only = wanted(threshold, otherScripts.test(form.text));
  const { matches, truncated } = set.find(form.text, { ...options, work, only, from: form.offsetOf(options.from) });
  return {
    matches: matches.flatMap(({ start, end, pattern }) =>
      end - start > longestPhrase ? [] : [{ ...form.rangeOf(start, end), label, score: injectionPatterns[pattern]?.score ?? 0 }],
    ),
    truncated,
  };
}

/** The segments that the model finds. */
function judge(read: Form, from: number, threshold: number): Found {
  const { form, folded, segments } = read;
  const first = form.offsetOf(from);
  const matches = segments.segments.flatMap((segment): Scored[] => {
    // The white space before it may be decided already.
    const [start, end] = trimmed(folded, segment.start, segment.end);
    if (start < first) return [];
    const score = read.scoreOf(segment);
    return score >= threshold ? [{ ...form.rangeOf(start, end), label, score }] : [];
  });
  return { matches, truncated: false };
}

/** A range without white space at its ends. */
function trimmed(text: string, start: number, end: number): [number, number] {
  while (start < end && isSpace(text, start)) start += 1;
  while (end > start + 1 && isSpace(text, end - 1)) end -= 1;
  return [start, end];
}

/** A run of Base64 whose text has an injection. */
function decodedMatch({ start, end, form }: Reading['decoded'][number], budget: Budget, threshold: number): Scored[] {
  const options = { work: form.work, budget, limit: 1, open: false, from: 0, charactersBefore: 0 };
  const found = [findIn(form, options, { threshold, set: setOf('words') }), judge(form, 0, threshold)];
  const score = Math.max(0, ...found.flatMap(({ matches }) => matches.map((match) => match.score)));
  return score > 0 ? [{ start, end, label, score }] : [];
}

/** Leftmost first, then longest; what overlaps an earlier one is left out. */
function withoutOverlaps(matches: Scored[]): Scored[] {
  matches.sort((a, b) => a.start - b.start || b.end - a.end || b.score - a.score);
  let from = 0;
  return matches.filter(({ start, end }) => {
    if (start < from || end <= start) return false;
    from = end;
    return true;
  });
}
