import { MappedText } from '../mapped-text.ts';

/** Letters of other scripts that look like Latin ones: each behind the Latin one. */
const lookalikes = lookalikesOf(
  'aаαɑᴀ eеεᴇ oоοօσᴏ pрρ cсϲ yуγʏ xхχ iіιıɩɪǀ jјʝ sѕꜱ dԁ hһհн qԛ wԝѡ bЬь kкκᴋ mмᴍ nпոռɴη rгʀ tтτᴛ uυսᴜ vνѵ gɡցɢ lӏʟ zᴢ fғ ' +
    'AАΑ BВΒ CСϹ EЕΕ HНΗ IІΙ JЈ KКΚ MМΜ NΝ OОΟ PРΡ SЅ TТΤ XХΧ YΥҮ ZΖ',
);
/** Digits and signs that stand for letters. */
const leet: Readonly<Record<string, string>> = {
  0: 'o',
  1: 'i',
  3: 'e',
  4: 'a',
  5: 's',
  7: 't',
  8: 'b',
  '@': 'a',
  $: 's',
  '!': 'i',
  '|': 'i',
};

/** Characters without a width, marks of direction, soft hyphens and selectors of variants. */
const invisible =
  /\u034f|\u17b4|\u17b5|[\u180b-\u180f]|[\ufe00-\ufe0f]|[\u00ad\u061c\u115f\u1160\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/;
/** The tags of Unicode spell ASCII that is not shown. */
const firstTag = 0xe0020;
const lastTag = 0xe007e;
const mark = /\p{M}/u;

/** A letter of Latin script, and one of a script with look-alikes. */
const latin = /[A-Za-z]/;
const other = /[\u0250-\u058f\u13a0-\u1cff\ua700-\ua7ff\uab30-\uab6f\u01c0]/;
const words = /[\p{L}\p{M}]+/gu;
/** Words with a digit or sign between, before or behind letters. */
const leetWord =
  /(?<![\w@$!|.])(?=[\d@$!|]*[A-Za-z])(?=[A-Za-z]*[0134578@$!|])(?:[A-Za-z0134578@$|]|!(?=[A-Za-z0134578])){3,40}(?![\w@$|.]*[\w@$|])/g;
const spacedLetters = /(?<![\p{L}\p{N}])\p{L}(?:([ .\-_*/|,])\p{L}(?:\1\p{L})+)(?![\p{L}\p{N}])/gu;
const joined = /(?<=[A-Za-z])[-_]+(?=[A-Za-z])/g;
const commentMark = /<!--|-->/g;
/** Blanks that count as one: more than stand between words of letters set apart. */
const blanks = /[\t-\r \u0085\u2028\u2029]{9,}/g;
const lineEnd = /[\n\r\u0085\u2028\u2029]/;

/** Whether a text has something that {@link plainText} changes, or may have. */
const changeable =
  /[^\0-\x7e]|[A-Za-z][-_0134578@$!|]|[0134578@$!|][A-Za-z]|<!--|-->|(?<![A-Za-z0-9])[A-Za-z]([ .*/|,])[A-Za-z]\1[A-Za-z](?![A-Za-z0-9])|[\t-\r ]{9}/;

/**
 * A text as it reads, for patterns and words: compatibility forms as plain ones (NFKC), look-alikes in words of Latin letters as these, digits and
 * signs in words as the letters that they stand for, letters set apart joined, hyphens in words as spaces, many blanks as one, without what cannot be seen.
 */
export function plainText(text: string): MappedText {
  return plainOf(visible(text));
}

/** The same of a text from {@link visible}. */
export function plainOf(seen: MappedText): MappedText {
  if (!changeable.test(seen.text)) return seen;
  return (other.test(seen.text) ? seen.edit(words, inLatin) : seen)
    .edit(spacedLetters, joinLetters)
    .edit(leetWord, (word) => (/[A-Za-z]/.test(word) ? word.replaceAll(/[0134578@$!|]/g, (sign) => leet[sign] ?? sign) : word))
    .edit(commentMark, (comment) => '\n'.padEnd(comment.length, ' '))
    .edit(joined, (hyphens) => ' '.repeat(hyphens.length))
    .edit(blanks, oneBlank);
}

/** A blank, or the end of a line, in the place of the first one of many. */
function oneBlank(run: string): string {
  return (lineEnd.test(run) ? '\n' : ' ').padEnd(run.length, '\0');
}

/** A word of Latin letters and look-alikes in Latin letters. One of look-alikes alone is of another script. */
function inLatin(word: string): string {
  if (!latin.test(word) || !other.test(word)) return word;
  return Array.from({ length: word.length }, (_, at) => lookalikes.get(word[at] ?? '') ?? word[at]).join('');
}

/** `i g n o r e` without what stands between the letters. */
function joinLetters(run: string): string {
  return run.replaceAll(/[ .\-_*/|,]/g, '\0');
}

/** Units whose compatibility form is themselves: most letters of Latin, Cyrillic and Arabic script, kana and ideographs. */
function isPlain(unit: number): boolean {
  if (unit < 0x80) return true;
  if (unit < 0x180) return unit >= 0xc0 && unit < 0x17f && (unit < 0x132 || unit > 0x149 || (unit > 0x133 && unit < 0x13f));
  return (
    (unit >= 0x400 && unit < 0x480) ||
    (unit >= 0x620 && unit < 0x64b) ||
    (unit >= 0x3041 && unit < 0x3097) ||
    (unit >= 0x4e00 && unit < 0xa000)
  );
}

/** The text without what cannot be seen, and in compatibility form. */
export function visible(text: string): MappedText {
  if (!/[^\0-\x7e]/.test(text)) return new MappedText(text);
  const units: string[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  for (let at = 0; at < text.length;) {
    const start = at;
    const rune = text.codePointAt(at) ?? 0;
    at += rune > 0xffff ? 2 : 1;
    if (isPlain(rune) && (at === text.length || isPlain(text.charCodeAt(at)))) {
      units.push(text[start] ?? '');
      starts.push(start);
      ends.push(at);
      continue;
    }
    const character = text.slice(start, at);
    if (invisible.test(character)) continue;
    while (at < text.length && text.charCodeAt(at) > 127 && mark.test(text[at] ?? '') && at - start < 8) at += 1;
    const plain = rune >= firstTag && rune <= lastTag ? String.fromCharCode(rune - 0xe0000) : compatible(text.slice(start, at));
    for (let index = 0; index < plain.length; index += 1) {
      units.push(plain[index] ?? '');
      starts.push(start);
      ends.push(at);
    }
  }
  return new MappedText(units.join(''), starts, ends);
}

/** NFKC, without the marks that do not compose with a Latin letter. */
function compatible(cluster: string): string {
  const plain = cluster.normalize('NFKC').replaceAll('\0', ' ');
  return /^[\0-\u024f]/.test(plain) ? plain.replaceAll(/[\u0300-\u036f]/g, '') : plain;
}

/** The same without hyphens in words and without comments inside, which split words. Null where there is neither. */
export function withoutSplits(seen: MappedText): MappedText | null {
  if (!/[A-Za-z]-+[A-Za-z]|<!--/.test(seen.text)) return null;
  return seen
    .edit(/<!--[^]{0,200}?-->/g, (comment) => '\0'.repeat(comment.length))
    .edit(/(?<=[A-Za-z])-+(?=[A-Za-z])/g, (hyphens) => '\0'.repeat(hyphens.length))
    .edit(blanks, oneBlank);
}

/** The longest word that letters set apart are joined to, in units; a longer one is several words, which patterns find without spaces. */
const longestWord = 14;
const longRun = /(?<![\p{L}\p{N}])\p{L}(?:[ .\-_*/|,]\p{L}){14,}(?![\p{L}\p{N}])/gu;

/** Words set apart letter by letter, with the same between words, each run joined to one word. */
export function runsOfLetters(plain: MappedText): MappedText[] {
  longRun.lastIndex = 0;
  const runs: MappedText[] = [];
  for (const { index, 0: run } of plain.text.matchAll(longRun)) {
    const starts: number[] = [];
    const ends: number[] = [];
    let letters = '';
    for (let at = 0; at < run.length; at += 2) {
      letters += run[at] ?? '';
      const range = plain.rangeOf(index + at, index + at + 1);
      starts.push(range.start);
      ends.push(range.end);
    }
    if (letters.length > longestWord) runs.push(new MappedText(letters, starts, ends));
  }
  return runs;
}

function lookalikesOf(groups: string): ReadonlyMap<string, string> {
  const pairs = groups
    .split(' ')
    .flatMap(([latinLetter = '', ...others]) => others.map((letter) => [letter, latinLetter] as const));
  return new Map(pairs);
}
