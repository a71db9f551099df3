/** Prefix of search entries, which rank below all named entries. */
export const lookUp = 'look up ';

/** What an entry is, before its name. Pages have none. */
const kinds = /^(?:model|prompt|dataset|evaluator|guardrail|agent|session|user|project) /;
const letterOrDigit = /[\p{L}\p{N}]/u;
const words = /[^\p{L}\p{N}]+/u;
/** Of so many letters of a word at least half must be typed for the typed ones to count as its abbreviation. */
const leastShare = 0.5;

/**
 * How well an entry of the command palette matches; 0 leaves it out. Whole names come first, then names that begin with the text, words that do, texts
 * within a word, and abbreviations of a single word (`trcs`). Several typed words must match each.
 *
 * @param value kind and name of the entry: `model gpt-4o`
 * @param typed what is searched
 */
export function paletteRank(value: string, typed: string): number {
  if (value.startsWith(lookUp)) return 0.0001;
  const text = typed.trim().toLowerCase();
  const name = value.replace(kinds, '').toLowerCase();
  const whole = rankOf(name, text);
  if (whole > 0) return whole;
  const parts = text.split(/\s+/);
  // The kind counts where it is typed with a name: `model mini`.
  return parts.length < 2
    ? rankOf(value.toLowerCase(), text) / 4
    : Math.min(...parts.map((part) => rankOf(value.toLowerCase(), part))) / 2;
}

function rankOf(name: string, text: string): number {
  if (name === text) return 1;
  if (name.startsWith(text)) return 0.9;
  if (beginsWord(name, text)) return 0.7;
  if (name.includes(text)) return 0.4;
  return name.split(words).some((word) => abbreviates(word, text)) ? 0.1 : 0;
}

function beginsWord(name: string, text: string): boolean {
  for (let at = name.indexOf(text); at >= 0; at = name.indexOf(text, at + 1)) {
    if (!letterOrDigit.test(name.charAt(at - 1))) return true;
  }
  return false;
}

/** Whether the letters of a text, of which there are three or more, stand in a word in this order, from its first one. */
function abbreviates(word: string, text: string): boolean {
  if (text.length < 3 || word.charAt(0) !== text.charAt(0) || text.length < word.length * leastShare) return false;
  let at = -1;
  return Array.from(text).every((letter) => (at = word.indexOf(letter, at + 1)) >= 0);
}
