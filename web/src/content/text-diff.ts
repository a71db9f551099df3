import { diffArrays } from 'diff';

/** A part of a text. `changed`: not in the other text. */
export interface Part {
  text: string;
  changed: boolean;
}

/** With more inserted and deleted words, everything between the common prefix and suffix counts as changed. */
const maxEdits = 2_000;

function wordsOf(text: string): string[] {
  return text.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [];
}

/** A word diff of two texts. */
export function diffTexts(a: string, b: string): { a: Part[]; b: Part[] } {
  const left = wordsOf(a);
  const right = wordsOf(b);
  let start = 0;
  while (start < left.length && start < right.length && left[start] === right[start]) start++;
  let endA = left.length;
  let endB = right.length;
  while (endA > start && endB > start && left[endA - 1] === right[endB - 1]) {
    endA--;
    endB--;
  }
  const common = commonWords(left.slice(start, endA), right.slice(start, endB));
  return {
    a: partsOf(left, (index) => index >= start && index < endA && !common.a.has(index - start)),
    b: partsOf(right, (index) => index >= start && index < endB && !common.b.has(index - start)),
  };
}

/** The indexes of common words. */
function commonWords(a: readonly string[], b: readonly string[]): { a: Set<number>; b: Set<number> } {
  const found = { a: new Set<number>(), b: new Set<number>() };
  let [i, j] = [0, 0];
  for (const { count, added, removed } of diffArrays([...a], [...b], { maxEditLength: maxEdits }) ?? []) {
    for (let word = 0; word < count; word++) {
      if (!added && !removed) {
        found.a.add(i);
        found.b.add(j);
      }
      if (!added) i++;
      if (!removed) j++;
    }
  }
  return found;
}

/** Joins words to parts. White space between two changed words counts as changed, for contiguous marks. */
function partsOf(words: readonly string[], isChanged: (index: number) => boolean): Part[] {
  const parts: Part[] = [];
  for (const [index, text] of words.entries()) {
    const changed =
      isChanged(index) ||
      (/^\s+$/.test(text) && index > 0 && isChanged(index - 1) && index + 1 < words.length && isChanged(index + 1));
    const last = parts.at(-1);
    if (last?.changed === changed) last.text += text;
    else parts.push({ text, changed });
  }
  return parts;
}
