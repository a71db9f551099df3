/** What of a text the index of words can find. */
export interface IndexedWords {
  /** Words that stand between separators in the text itself: so they do in every text that contains it. */
  whole: string[];
  /** Letters and digits at its ends: parts of words of every text that contains it. In lower case. */
  parts: string[];
}

/** The index keeps words of letters, digits and everything that is not ASCII. */
const word = /[0-9A-Za-z\u{80}-\u{10ffff}]+/gu;
const plain = /[0-9a-z]+/g;
/** ClickHouse looks up parts of words that are at least this long (`text_index_like_min_pattern_length`): each is compared with all words. */
const shortestPart = 4;
/** More words make the look-up longer and the result no better. */
const maxWords = 16;

/** The words by which spans that contain a text are looked up; null when there are none. */
export function wordsOf(text: string): IndexedWords | null {
  const whole: string[] = [];
  const parts: string[] = [];
  for (const { 0: found, index } of text.matchAll(word)) {
    const isInner = index > 0 && index + found.length < text.length;
    if (isInner && whole.length < maxWords) whole.push(found);
    else if (!isInner) parts.push(...partsOf(found));
  }
  return whole.length + parts.length === 0 ? null : { whole, parts };
}

/** The longest run of letters and digits of a word: other letters have no place in a pattern. */
function partsOf(found: string): string[] {
  const runs = (found.toLowerCase().match(plain) ?? []).toSorted((a, b) => b.length - a.length);
  return runs.filter(({ length }) => length >= shortestPart).slice(0, 1);
}
