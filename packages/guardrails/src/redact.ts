/** A part of a text that is replaced. Offsets are in UTF-16 units, the end is exclusive. */
export interface Replacement {
  start: number;
  end: number;
  /** What stands there instead. */
  with: string;
  /** Position of its guardrail in their order. */
  guardrail: number;
}

/**
 * Ranges to replace in a text, ascending and without overlaps. Overlapping and touching ranges of different guardrails become one, with the text of
 * the range that starts first (then the longer, then the first guardrail's). Touching ranges of one guardrail stay apart.
 */
export function mergeReplacements(replacements: readonly Replacement[]): Replacement[] {
  const sorted = [...replacements].sort((a, b) => a.start - b.start || b.end - a.end || a.guardrail - b.guardrail);
  const merged: Replacement[] = [];
  // Guardrails with a range that ends where the last merged range ends.
  let ending: number[] = [];
  for (const next of sorted) {
    const last = merged.at(-1);
    const touches = last?.end === next.start && ending.some((guardrail) => guardrail !== next.guardrail);
    if (!last || (next.start >= last.end && !touches)) {
      merged.push({ ...next });
      ending = [next.guardrail];
    } else if (next.end > last.end) {
      last.end = next.end;
      ending = [next.guardrail];
    } else if (next.end === last.end) ending.push(next.guardrail);
  }
  return merged;
}

/**
 * A text with ranges replaced, which are ascending and do not overlap. With `until` only what stands before that offset: a range that begins
 * before it is replaced whole.
 */
export function replaceRanges(text: string, ranges: readonly Replacement[], until: number = text.length): string {
  let result = '';
  let at = 0;
  for (const { start, end, with: replacement } of ranges) {
    if (start >= until) break;
    result += text.slice(at, start) + replacement;
    at = end;
  }
  return result + text.slice(at, Math.max(at, until));
}
