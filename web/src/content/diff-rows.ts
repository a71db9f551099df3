import { diffArrays, diffWordsWithSpace } from 'diff';

/** A part of a line. `changed`: not in the other text. */
export interface Piece {
  text: string;
  changed: boolean;
}

export interface Line {
  /** Line number, from 1. */
  number: number;
  pieces: readonly Piece[];
}

/** A row of a side-by-side diff; null if a side has no line. */
export interface DiffRow {
  kind: 'same' | 'changed' | 'removed' | 'added';
  left: Line | null;
  right: Line | null;
}

export interface Diff {
  rows: readonly DiffRow[];
  added: number;
  removed: number;
  /** False if the texts are too large and too different for a line diff. */
  matched: boolean;
}

const maxLineDiffMs = 400;
/** Longer lines, in characters, are not compared word by word. */
const maxMarkedLength = 4_000;
/** Maximum number of line pairs that are compared word by word. */
const maxMarkedPairs = 1_000;
/** Maximum number of inserted and deleted words in one pair. */
const maxEdits = 300;
/** Work units for all pairs of a diff, about 0.4 s. A pair takes the square of its edits plus a quarter of its characters. */
const maxWork = 2_000_000;

/** A line diff of two texts with changed words marked. */
export function diffRows(before: string, after: string): Diff {
  const left = linesOf(before);
  const right = linesOf(after);
  const found = diffArrays(left, right, { timeout: maxLineDiffMs });
  const changes = found ?? [
    { removed: true, added: false, value: left },
    { removed: false, added: true, value: right },
  ];
  const rows: DiffRow[] = [];
  let removed: readonly string[] = [];
  let leftNumber = 1;
  let rightNumber = 1;
  const budget = { pairs: maxMarkedPairs, work: maxWork };
  const pair = (gone: readonly string[], come: readonly string[]) => {
    for (let index = 0; index < Math.max(gone.length, come.length); index++) {
      rows.push(rowOf(gone[index], come[index], [leftNumber, rightNumber], budget));
      if (index < gone.length) leftNumber += 1;
      if (index < come.length) rightNumber += 1;
    }
  };
  for (const change of changes) {
    if (change.removed) {
      removed = change.value;
      continue;
    }
    pair(removed, change.added ? change.value : []);
    removed = [];
    if (change.added) continue;
    for (const text of change.value) {
      const pieces = [{ text, changed: false }];
      rows.push({ kind: 'same', left: { number: leftNumber++, pieces }, right: { number: rightNumber++, pieces } });
    }
  }
  pair(removed, []);
  return {
    rows,
    added: rows.filter(({ kind }) => kind === 'added' || kind === 'changed').length,
    removed: rows.filter(({ kind }) => kind === 'removed' || kind === 'changed').length,
    matched: found !== undefined,
  };
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.split('\n');
}

/** The remaining budget for word diffs. */
interface Budget {
  pairs: number;
  work: number;
}

function rowOf(
  gone: string | undefined,
  come: string | undefined,
  [leftNumber, rightNumber]: readonly [number, number],
  budget: Budget,
): DiffRow {
  const whole = (text: string, number: number): Line => ({ number, pieces: [{ text, changed: false }] });
  if (gone === undefined) return { kind: 'added', left: null, right: whole(come ?? '', rightNumber) };
  if (come === undefined) return { kind: 'removed', left: whole(gone, leftNumber), right: null };
  const marked = markedPieces(gone, come, budget);
  return {
    kind: 'changed',
    left: { number: leftNumber, pieces: marked.left },
    right: { number: rightNumber, pieces: marked.right },
  };
}

/** Marks the words that differ between two lines. Lines with little in common are not marked. */
function markedPieces(gone: string, come: string, budget: Budget): { left: Piece[]; right: Piece[] } {
  const whole = { left: [{ text: gone, changed: false }], right: [{ text: come, changed: false }] };
  budget.pairs -= 1;
  if (gone.length > maxMarkedLength || come.length > maxMarkedLength || budget.pairs < 0) return whole;
  const words = wordsWithin(budget, gone, come);
  if (!words) return whole;
  const common = words.reduce((sum, word) => sum + (word.added || word.removed ? 0 : word.value.trim().length), 0);
  if (common * 4 < Math.max(gone.length, come.length)) return whole;
  return {
    left: words.filter(({ added }) => !added).map(({ value, removed }) => ({ text: value, changed: removed })),
    right: words.filter(({ removed }) => !removed).map(({ value, added }) => ({ text: value, changed: added })),
  };
}

/** The word diff of two lines, undefined if it exceeds the budget. Deducts the work done. */
function wordsWithin(budget: Budget, gone: string, come: string): ReturnType<typeof diffWordsWithSpace> | undefined {
  budget.work -= (gone.length + come.length) / 4;
  if (budget.work <= 0) return undefined;
  const maxEditLength = Math.min(maxEdits, Math.floor(Math.sqrt(budget.work)));
  const words = diffWordsWithSpace(gone, come, { maxEditLength });
  const edits = words?.reduce((sum, { added, removed, count }) => sum + (added || removed ? count : 0), 0) ?? maxEditLength;
  budget.work -= edits ** 2;
  return words;
}

/** A block of visible rows, or of equal rows that are folded. */
export type Block = { folded: boolean; rows: readonly DiffRow[] };

const context = 3;

/** Splits rows into blocks. Equal rows are folded, except for three context lines around changes. */
export function foldSame(rows: readonly DiffRow[]): Block[] {
  const blocks: Block[] = [];
  const push = (folded: boolean, block: readonly DiffRow[]) => {
    if (block.length > 0) blocks.push({ folded, rows: block });
  };
  let start = 0;
  while (start < rows.length) {
    const same = rows[start]?.kind === 'same';
    let end = start + 1;
    while (end < rows.length && (rows[end]?.kind === 'same') === same) end += 1;
    const head = same && start > 0 ? context : 0;
    const tail = same && end < rows.length ? context : 0;
    if (same && end - start > head + tail + 1) {
      push(false, rows.slice(start, start + head));
      push(true, rows.slice(start + head, end - tail));
      push(false, rows.slice(end - tail, end));
    } else push(false, rows.slice(start, end));
    start = end;
  }
  return blocks;
}
