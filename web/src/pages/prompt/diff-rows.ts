import { diffArrays, diffWordsWithSpace } from 'diff';

/** A piece of a line: whether the other side has it as well. */
export interface Piece {
  text: string;
  changed: boolean;
}

export interface Line {
  /** From 1. */
  number: number;
  pieces: readonly Piece[];
}

/** Two lines beside each other; null where a side has none. */
export interface DiffRow {
  kind: 'same' | 'changed' | 'removed' | 'added';
  left: Line | null;
  right: Line | null;
}

export interface Diff {
  rows: readonly DiffRow[];
  added: number;
  removed: number;
  /** False: the texts are too large and too different to be matched line by line. */
  matched: boolean;
}

const mostLineMs = 400;
const longestMarked = 4_000;
/** Pairs of lines whose words are compared. */
const mostMarked = 1_000;
/** Words put in and taken out that are looked for in one pair. */
const mostEdits = 300;
/** Of all pairs of a diff, about 0.4 s: a pair takes the square of its edits and a quarter of its characters. */
const mostWork = 2_000_000;

/** Two texts line by line, what changed inside a line marked. */
export function diffRows(before: string, after: string): Diff {
  const left = linesOf(before);
  const right = linesOf(after);
  const found = diffArrays(left, right, { timeout: mostLineMs });
  const changes = found ?? [
    { removed: true, added: false, value: left },
    { removed: false, added: true, value: right },
  ];
  const rows: DiffRow[] = [];
  let removed: readonly string[] = [];
  let leftNumber = 1;
  let rightNumber = 1;
  const budget = { pairs: mostMarked, work: mostWork };
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

/** What is left for comparing the words of lines. */
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

/** The words of two lines that differ. Lines with little in common are not marked: marks everywhere help nobody. */
function markedPieces(gone: string, come: string, budget: Budget): { left: Piece[]; right: Piece[] } {
  const whole = { left: [{ text: gone, changed: false }], right: [{ text: come, changed: false }] };
  budget.pairs -= 1;
  if (gone.length > longestMarked || come.length > longestMarked || budget.pairs < 0) return whole;
  const words = wordsWithin(budget, gone, come);
  if (!words) return whole;
  const common = words.reduce((sum, word) => sum + (word.added || word.removed ? 0 : word.value.trim().length), 0);
  if (common * 4 < Math.max(gone.length, come.length)) return whole;
  return {
    left: words.filter(({ added }) => !added).map(({ value, removed }) => ({ text: value, changed: removed })),
    right: words.filter(({ removed }) => !removed).map(({ value, added }) => ({ text: value, changed: added })),
  };
}

/** The words of two lines, undefined where finding them takes more than is left; what it took is taken off. */
function wordsWithin(budget: Budget, gone: string, come: string): ReturnType<typeof diffWordsWithSpace> | undefined {
  budget.work -= (gone.length + come.length) / 4;
  if (budget.work <= 0) return undefined;
  const maxEditLength = Math.min(mostEdits, Math.floor(Math.sqrt(budget.work)));
  const words = diffWordsWithSpace(gone, come, { maxEditLength });
  const edits = words?.reduce((sum, { added, removed, count }) => sum + (added || removed ? count : 0), 0) ?? maxEditLength;
  budget.work -= edits ** 2;
  return words;
}

/** Rows that are shown, or a stretch of equal ones that is folded. */
export type Block = { folded: boolean; rows: readonly DiffRow[] };

const context = 3;

/** Rows in blocks: far from every change, equal ones are folded. */
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
