/** Bits of a class. */
const classBits = 5;
/** The number of classes. */
export const classCount: number = 1 << classBits;
/** The class of characters that are in no other one. */
const others = classCount - 1;
const mask = (1 << (3 * classBits)) - 1;

/**
 * The classes of ASCII: white space, each letter in both cases, digits, `_`, `-`, `.`, and all others. Characters beyond ASCII are among the others, but for
 * three that are letters of ASCII in another case.
 */
const classOfAscii = Uint8Array.from({ length: 128 }, (_, unit) => asciiClass(String.fromCharCode(unit)));
/** A dotless i, a long s and the sign of Kelvin. */
export const wideLetters: readonly number[] = [0x131, 0x17f, 0x212a];
const classOfWide: ReadonlyMap<number, number> = new Map([
  [0x131, letterClass('i')],
  [0x17f, letterClass('s')],
  [0x212a, letterClass('k')],
]);

function asciiClass(character: string): number {
  if (/\s/.test(character)) return 0;
  if (/[a-z]/i.test(character)) return letterClass(character);
  if (/\d/.test(character)) return 27;
  const punctuation = '_-.'.indexOf(character);
  return punctuation < 0 ? others : 28 + punctuation;
}

function letterClass(letter: string): number {
  return letter.toLowerCase().charCodeAt(0) - 96;
}

/** The class of a code point. */
export function classOf(rune: number): number {
  return rune < 128 ? (classOfAscii[rune] ?? others) : (classOfWide.get(rune) ?? others);
}

/** The trigram of the last two classes of another one and a class. */
export function trigramOf(earlier: number, last: number): number {
  return ((earlier << classBits) | last) & mask;
}

/** The last two classes of a trigram. */
export function lastTwo(trigram: number): number {
  return trigram & (mask >> classBits);
}

/** Which trigrams stand in the text that was read last. One table for all texts: it is larger than most of them. */
const present = new Uint8Array(mask + 1);
let latest = 0;

/** The trigrams of a text, by which a word that is not in it is excluded in a few steps. */
export class Trigrams {
  readonly #text: string;
  /** Under which the table was filled; texts are not kept for that. */
  #number = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** For each trigram 1 where it stands in the text, and for a few that do not. Valid until those of another text are asked for. */
  get table(): Uint8Array {
    if (this.#number === 0 || this.#number !== latest) {
      present.fill(0);
      read(this.#text);
      latest += 1;
      this.#number = latest;
    }
    return present;
  }
}

function read(text: string): void {
  let trigram = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    let one = classOfAscii[unit & 127] ?? others;
    if (unit > 127) {
      // The second half of a pair belongs to the first one.
      if (isSecondHalf(text, at)) continue;
      one = classOf(unit);
    }
    trigram = ((trigram << classBits) | one) & mask;
    present[trigram] = 1;
  }
}

function isSecondHalf(text: string, at: number): boolean {
  return at > 0 && (text.codePointAt(at - 1) ?? 0) > 0xffff;
}
