const wordBits = 32;
/** Combining marks of a letter after the 30th, the maximum of Unicode's stream-safe format. */
const marksBeyond = /(?<=\p{M}{30})\p{M}+/gu;

/**
 * The code points of a text as small numbers, which both texts of a comparison share. A lone surrogate is a code point.
 */
function numbered(text: string, numbers: Map<string, number>): Int32Array {
  const ids = new Int32Array(text.length);
  let length = 0;
  for (const character of text) {
    let id = numbers.get(character);
    if (id === undefined) numbers.set(character, (id = numbers.size));
    ids[length++] = id;
  }
  return ids.subarray(0, length);
}

/** Two texts without their common prefix and suffix. */
export interface Comparison {
  left: Int32Array;
  right: Int32Array;
  /** Distinct code points. */
  alphabet: number;
  /** Code points of the longer text, prefix and suffix included. */
  longer: number;
  /** Steps of the inner loop of {@link distanceOf}, some 5 ns each. */
  steps: number;
}

/**
 * Normalizes a text to NFC, except for the marks of a letter after the 30th: `normalize` sorts them in quadratic time and cannot be
 * interrupted.
 */
function composed(text: string): string {
  let result = '';
  let at = 0;
  for (const { 0: marks, index } of text.matchAll(marksBeyond)) {
    result += text.slice(at, index).normalize('NFC') + marks;
    at = index + marks.length;
  }
  return result + text.slice(at).normalize('NFC');
}

/**
 * Prepares a comparison in linear time. Texts are normalized to NFC, so that equivalent encodings of a letter are equal.
 */
export function compare(left: string, right: string): Comparison {
  const numbers = new Map<string, number>();
  let [a, b] = [numbered(composed(left), numbers), numbered(composed(right), numbers)];
  const longer = Math.max(a.length, b.length);
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let [endA, endB] = [a.length, b.length];
  while (endA > start && endB > start && a[endA - 1] === b[endB - 1]) {
    endA--;
    endB--;
  }
  [a, b] = [a.subarray(start, endA), b.subarray(start, endB)];
  const [shorter, other] = a.length < b.length ? [a, b] : [b, a];
  return {
    left: shorter,
    right: other,
    alphabet: numbers.size,
    longer,
    steps: Math.ceil(shorter.length / wordBits) * other.length,
  };
}

/**
 * The exact Levenshtein distance in code points: Myers' bit-parallel algorithm in Hyyro's form, 32 rows of the matrix at a time. Each
 * band starts from the lower edge of the one before. Time: `steps`; memory: a few bytes per code point.
 */
export function distanceOf({ left, right, alphabet }: Comparison): number {
  const rows = left.length;
  const columns = right.length;
  if (rows === 0) return columns;
  // The lower edge of the band before, by column: bit 0 for a difference of +1, bit 1 for -1.
  const edge = new Uint8Array(columns).fill(1);
  const equal = new Int32Array(alphabet);
  let distance = rows;
  for (let top = 0; top < rows; top += wordBits) {
    const height = Math.min(wordBits, rows - top);
    const isLast = top + height === rows;
    for (let row = 0; row < height; row++) {
      const id = left[top + row] ?? 0;
      equal[id] = (equal[id] ?? 0) | (1 << row);
    }
    const change = advance(right, equal, edge, height - 1);
    if (isLast) distance += change;
    equal.fill(0);
  }
  return distance;
}

/**
 * Computes one band of rows, column by column. `plus` and `minus` hold the differences between adjacent rows of a column, one bit per row.
 * Returns the difference between the last and the first column in the band's last row.
 */
function advance(right: Int32Array, equal: Int32Array, edge: Uint8Array, lastRow: number): number {
  let plus = -1;
  let minus = 0;
  let change = 0;
  for (let column = 0; column < right.length; column++) {
    const matches = equal[right[column] as number] as number;
    const above = edge[column] as number;
    const more = above & 1;
    const less = above >>> 1;
    const vertical = matches | minus;
    const matching = matches | less;
    const horizontal = (((matching & plus) + plus) ^ plus) | matching;
    let up = minus | ~(horizontal | plus);
    let down = plus & horizontal;
    const upBelow = (up >>> lastRow) & 1;
    const downBelow = (down >>> lastRow) & 1;
    edge[column] = upBelow | (downBelow << 1);
    change += upBelow - downBelow;
    up = (up << 1) | more;
    down = (down << 1) | less;
    plus = down | ~(vertical | up);
    minus = up & vertical;
  }
  return change;
}

/** 1 - distance / length of the longer text; 1 for two empty texts. A quotient of integers, so that 8 of 10 is exactly 0.8. */
export function similarityOf(comparison: Comparison): number {
  const { longer } = comparison;
  return longer === 0 ? 1 : (longer - distanceOf(comparison)) / longer;
}
