/** A match in a text: UTF-16 offsets, the end exclusive. */
export interface TextMatch {
  start: number;
  end: number;
  label: string;
}

/** A part of a text: marked with the labels of its matches, or between matches (no labels). */
export interface MarkedPart {
  start: number;
  text: string;
  labels: readonly string[];
  /** Characters that are left out behind `text`; only of parts between matches. */
  omitted: number;
  /** What follows what is left out. */
  rest: string;
}

/** Parts between matches that are longer keep this many characters at each side. */
const context = 400;

/**
 * Splits a text at its matches. Overlapping matches form one part with the labels of all of them; touching ones stay apart. Long
 * parts between matches are shortened.
 *
 * @param matches within the text, in any order
 */
export function markedParts(text: string, matches: readonly TextMatch[]): MarkedPart[] {
  const parts: MarkedPart[] = [];
  let at = 0;
  for (const { start, end, labels } of merged(matches)) {
    if (start > at) parts.push(between(text, at, start));
    parts.push({ start, text: text.slice(start, end), labels, omitted: 0, rest: '' });
    at = end;
  }
  if (at < text.length) parts.push(between(text, at, text.length));
  return parts;
}

interface Merged {
  start: number;
  end: number;
  labels: string[];
}

function merged(matches: readonly TextMatch[]): Merged[] {
  const found: Merged[] = [];
  for (const { start, end, label } of matches.toSorted((left, right) => left.start - right.start || right.end - left.end)) {
    const last = found.at(-1);
    if (last === undefined || start >= last.end) found.push({ start, end, labels: [label] });
    else {
      last.end = Math.max(last.end, end);
      if (!last.labels.includes(label)) last.labels.push(label);
    }
  }
  return found;
}

function between(text: string, start: number, end: number): MarkedPart {
  if (end - start <= 2 * context) return { start, text: text.slice(start, end), labels: [], omitted: 0, rest: '' };
  const first = beforePair(text, start + context);
  const second = beforePair(text, end - context);
  return { start, text: text.slice(start, first), labels: [], omitted: second - first, rest: text.slice(second, end) };
}

/** The offset, or the one before it where it would split a surrogate pair. */
function beforePair(text: string, offset: number): number {
  const unit = text.charCodeAt(offset);
  return unit >= 0xdc00 && unit <= 0xdfff ? offset - 1 : offset;
}
