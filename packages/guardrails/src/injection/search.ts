import type { Budget } from '../budget.ts';
import type { DetectOptions } from '../detector.ts';
import { foldCase } from '../fold-case.ts';
import type { Match } from '../match.ts';
import { settledLength } from '../open-starts.ts';
import { PatternPool } from '../pattern-pool.ts';
import { compilePatterns } from '../pattern-set.ts';
import type { PatternSet } from '../pattern-set.ts';
import { TextWork } from '../text-work.ts';
import { decodedRuns } from './decoded-runs.ts';
import { injectionPatterns } from './injection-patterns.ts';
import type { MappedText } from '../mapped-text.ts';
import { modelScore } from './model.ts';
import { plainOf, plainText, runsOfLetters, visible, withoutSplits } from './plain-text.ts';
import { segmentsOf } from './segments.ts';

const label = 'prompt_injection';
/** Steps of a unit: its normal form, its features, its segment. */
const stepsPerUnit = 12;
/** Most units at the end of a text that its continuation may give another form: more of a run than any word has. */
const longestTail = 512;

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

/** Units of the longest phrase that counts. */
const longestPhrase = 600;

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
 * Injected instructions in a text: phrases of patterns and segments that the model finds, in the text as it reads ({@link plainText}), without what splits words, in
 * words set apart letter by letter, and in what it holds in Base64. Errors: OverBudget.
 */
export function searchInjections(options: DetectOptions, threshold: number): InjectionSearch {
  const { work, open, limit } = options;
  const { text } = work;
  options.budget.spend(stepsPerUnit * text.length);
  const whole = findAll(text, { ...options, open: false }, threshold);
  const matches = withoutOverlaps(whole.matches);
  return {
    matches: matches.slice(0, limit),
    truncated: whole.truncated || matches.length > limit,
    safeUntil: open ? safeLength(options, threshold) : text.length,
  };
}

/** Up to where no appended text changes anything: what may still be open in the part whose form is settled. */
function safeLength({ work: { text }, budget }: DetectOptions, threshold: number): number {
  const settled = settledForm(text);
  budget.spend(stepsPerUnit * settled);
  const seen = visible(text.slice(0, settled));
  const plain = plainOf(seen);
  const { openFrom } = segmentsOf(foldCase(plain.text), plain);
  const open = [plain.originalOffset(openFrom, settled)];
  for (const form of [plain, withoutSplits(seen)])
    if (form) open.push(form.originalOffset(openPattern(form.text, budget, threshold), settled));
  return Math.min(settled, ...open);
}

/** The first offset at which a phrase of a pattern may begin that is not complete. */
function openPattern(text: string, budget: Budget, threshold: number): number {
  const start = Math.max(0, text.length - longestPhrase);
  const work = new TextWork(text.slice(start));
  try {
    return start + setOf('words').openFrom(work, wanted(threshold, true), budget);
  } finally {
    work.close();
  }
}

/** The length of the text that has the same form whatever is appended: without its last word, letters set apart, and a comment that is open. */
function settledForm(text: string): number {
  let at = settledLength(text);
  const first = Math.max(0, at - longestTail);
  while (at > first && !isSpace(text, at - 1)) at -= 1;
  // Before it words of one letter, and what stands between them.
  while (at > first && (isSpace(text, at - 1) || isSpace(text, at - 2) || at === 1)) at -= 1;
  const comment = text.lastIndexOf('<!--', at);
  return comment >= 0 && at - comment <= longestTail && !text.slice(comment, at).includes('-->') ? comment : at;
}

function isSpace(text: string, at: number): boolean {
  return at >= 0 && text.charCodeAt(at) <= 32;
}

/** What all ways of reading a text find; overlaps are left. */
function findAll(text: string, options: DetectOptions, threshold: number): Found {
  const seen = visible(text);
  const plain = plainOf(seen);
  const found = findIn(plain, text, options, { threshold, set: setOf('words') });
  const judged = judge(plain, options, threshold);
  const parts = [found, judged];
  const joined = withoutSplits(seen);
  if (joined) parts.push(findIn(joined, text, options, { threshold, set: setOf('words') }));
  for (const run of runsOfLetters(seen))
    parts.push(findIn(run, text, { ...options, open: false }, { threshold, set: setOf('letters') }));
  const decoded = decodedRuns(text).flatMap((one) => decodedMatch(one, options.budget, threshold));
  return {
    matches: [...parts.flatMap(({ matches }) => matches), ...decoded].filter(({ start }) => start >= options.from),
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
function findIn(form: MappedText, original: string, options: DetectOptions, { threshold, set }: Wanted): Found {
  const only = wanted(threshold, otherScripts.test(form.text));
  const isSame = form.text === original;
  const work = isSame ? options.work : new TextWork(form.text);
  try {
    const { matches, truncated } = set.find(form.text, { ...options, work, only, from: form.offsetOf(options.from) });
    return {
      matches: matches.flatMap(({ start, end, pattern }) =>
        end - start > longestPhrase
          ? []
          : [{ ...form.rangeOf(start, end), label, score: injectionPatterns[pattern]?.score ?? 0 }],
      ),
      truncated,
    };
  } finally {
    if (!isSame) work.close();
  }
}

/** The segments that the model finds. */
function judge(form: MappedText, { from }: Pick<DetectOptions, 'from'>, threshold: number): Found {
  const folded = foldCase(form.text);
  const { segments } = segmentsOf(folded, form);
  const matches: Scored[] = [];
  const first = form.offsetOf(from);
  for (const { start, end } of segments) {
    if (start < first) continue;
    const score = modelScore(folded, start, end);
    if (score >= threshold) matches.push({ ...form.rangeOf(...trimmed(folded, start, end)), label, score });
  }
  return { matches, truncated: false };
}

/** A range without white space at its ends. */
function trimmed(text: string, start: number, end: number): [number, number] {
  while (start < end && isSpace(text, start)) start += 1;
  while (end > start + 1 && isSpace(text, end - 1)) end -= 1;
  return [start, end];
}

/** A run of Base64 whose text has an injection. */
function decodedMatch(
  { start, end, text }: { start: number; end: number; text: string },
  budget: Budget,
  threshold: number,
): Scored[] {
  budget.spend(stepsPerUnit * text.length);
  const work = new TextWork(text);
  const options = { work, budget, limit: 1, open: false, from: 0, charactersBefore: 0 };
  const plain = plainText(text);
  try {
    const found = [findIn(plain, text, options, { threshold, set: setOf('words') }), judge(plain, options, threshold)];
    const score = Math.max(0, ...found.flatMap(({ matches }) => matches.map((match) => match.score)));
    return score > 0 ? [{ start, end, label, score }] : [];
  } finally {
    work.close();
  }
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
