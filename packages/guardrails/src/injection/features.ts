/** Hashes of features: a power of two. */
export const featureCount = 32_768;
const letter = 1;
const digit = 2;
const space = 3;
const sign = 4;
/** Signs that stand in the place of the first and last word. */
const begin = 60;
const end = 62;
const seedOf = (kind: number): number => Math.imul(0x811c9dc5 ^ kind, 0x01000193);
const ofWord = seedOf(1);
const ofPair = seedOf(2);
const ofSkip = seedOf(3);
const ofFirst = seedOf(4);
const ofCharacters = seedOf(5);

/** The kind of a unit. By ranges, not by properties of Unicode: these differ between versions, and the answer must not. */
function kindOf(unit: number): number {
  if (unit < 128) {
    if ((unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90)) return letter;
    if (unit >= 48 && unit <= 57) return digit;
    return unit <= 32 ? space : sign;
  }
  if (unit === 0xa0 || unit === 0x3000 || (unit >= 0x2000 && unit <= 0x200a)) return space;
  if (unit < 0xc0 && unit !== 0xaa && unit !== 0xb5 && unit !== 0xba) return sign;
  if (unit >= 0x2010 && unit <= 0x2bff) return sign;
  return unit >= 0x3001 && unit <= 0x303f ? sign : letter;
}

function mixed(hash: number, value: number): number {
  return Math.imul(hash ^ value, 0x01000193);
}

/** The index of a feature. */
function indexOf(hash: number): number {
  let mix = hash ^ (hash >>> 15);
  mix = Math.imul(mix, 0x2c1b3c6d);
  mix ^= mix >>> 13;
  return mix & (featureCount - 1);
}

/**
 * Calls `onFeature` with the index of each feature of a range of a text, in lower case, and again where one occurs again: words, pairs of words, words
 * with one between them, the first word, and three and four characters in a row of words with their edges. A sign is a word; digits are one.
 */
export function eachFeature(text: string, from: number, to: number, onFeature: (index: number) => void): void {
  let [before, last] = [0, mixed(ofWord, begin)];
  let count = 0;
  const onWord = (word: number) => {
    onFeature(indexOf(word));
    onFeature(indexOf(mixed(mixed(ofPair, last), word)));
    if (count > 0) onFeature(indexOf(mixed(mixed(ofSkip, before), word)));
    else onFeature(indexOf(mixed(ofFirst, word)));
    [before, last] = [last, word];
    count += 1;
  };
  for (let at = from; at < to;) {
    const unit = text.charCodeAt(at);
    const kind = kindOf(unit);
    const start = at;
    at += 1;
    if (kind === space) continue;
    if (kind === sign) {
      onWord(mixed(ofWord, unit));
      continue;
    }
    while (at < to && kindOf(text.charCodeAt(at)) === kind) at += 1;
    if (kind === digit) onWord(mixed(ofWord, 48));
    else {
      let word = ofWord;
      for (let index = start; index < at; index += 1) word = mixed(word, text.charCodeAt(index));
      onWord(word);
      charactersOf(text, start, at, onFeature);
    }
  }
  onFeature(indexOf(mixed(mixed(ofPair, last), mixed(ofWord, end))));
}

/** Three and four characters in a row of a word, with a mark at its edges. */
function charactersOf(text: string, from: number, to: number, onFeature: (index: number) => void): void {
  const unitAt = (at: number): number => (at < from ? begin : at < to ? text.charCodeAt(at) : end);
  for (let at = from - 1; at <= to - 2; at += 1) {
    const three = mixed(mixed(mixed(ofCharacters, unitAt(at)), unitAt(at + 1)), unitAt(at + 2));
    onFeature(indexOf(three));
    if (at <= to - 3) onFeature(indexOf(mixed(three, unitAt(at + 3))));
  }
}

/** Letters of a segment that is long enough to be judged. */
const fewestLetters = 4;

/** Whether a range of a text has letters enough. */
export function isJudged(text: string, from: number, to: number): boolean {
  let letters = 0;
  for (let at = from; at < to && letters < fewestLetters; at += 1) if (kindOf(text.charCodeAt(at)) === letter) letters += 1;
  return letters >= fewestLetters;
}

const seen = new Int32Array(featureCount);
let round = 0;

/** The distinct features of a range of a text. `onFeature` must not call this function. @returns their number */
export function distinctFeatures(text: string, from: number, to: number, onFeature: (index: number) => void): number {
  round = round === 0x7fffffff ? 1 : round + 1;
  if (round === 1) seen.fill(0);
  let count = 0;
  eachFeature(text, from, to, (index) => {
    if (seen[index] === round) return;
    seen[index] = round;
    count += 1;
    onFeature(index);
  });
  return count;
}

/** What the features of a segment are divided by: segments with few of them say less. */
export function normOf(count: number): number {
  return Math.sqrt(Math.max(count, 100));
}
