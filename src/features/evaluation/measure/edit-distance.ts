const wordBits = 32;
/** What follows the 30th combining mark of a letter: no script has as many, and Unicode's stream-safe format allows no more. */
const marksBeyond = /(?<=\p{M}{30})\p{M}+/gu;

/**
 * The code points of a text, each as a small number that is the same in both texts of a comparison. A lone surrogate is a code point
 * of its own.
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

/** Two texts ready to be compared: what they begin and end with alike is left out. */
export interface Comparison {
  left: Int32Array;
  right: Int32Array;
  /** How many different code points there are. */
  alphabet: number;
  /** Code points of the longer text, before anything was left out. */
  longer: number;
  /** How many steps of the inner loop {@link distanceOf} takes; some 5 ns each. */
  steps: number;
}

/**
 * A text in Unicode's composed form (NFC), but that marks beyond the 30th of one letter stand as they are: putting many in order takes
 * time that grows with the square of their number, in a call that nothing can break off.
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
 * Prepares a comparison, in time in proportion to the lengths of the texts. They are brought to Unicode's composed form (NFC) first: how
 * an accented letter is stored is no difference to a reader.
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
 * The Levenshtein distance in code points, exact: Myers' bit-parallel algorithm in Hyyro's form, 32 rows of the matrix at a time,
 * the rows' lower edge kept for the next 32. Time: `steps`; memory: a few bytes a code point.
 */
export function distanceOf({ left, right, alphabet }: Comparison): number {
  const rows = left.length;
  const columns = right.length;
  if (rows === 0) return columns;
  // What crosses the lower edge of the rows before, a column each: bit 0 says one more, bit 1 one less.
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
 * One band of rows, column by column. `plus` and `minus` are the differences between neighbouring rows of a column, a bit a row.
 * Returns how much the band's last row differs between its first and last column.
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

/** 1 - distance / length of the longer text; two empty texts are the same. As a quotient of whole numbers, so that 8 of 10 is 0.8. */
export function similarityOf(comparison: Comparison): number {
  const { longer } = comparison;
  return longer === 0 ? 1 : (longer - distanceOf(comparison)) / longer;
}
