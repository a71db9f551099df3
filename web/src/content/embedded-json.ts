import { jsonText } from './json-text.ts';

/** Deeper texts stay texts. */
const maxDepth = 20;

/** The value of a text that is a JSON object or array, or the text itself. */
export function parsedText(text: string): unknown {
  if (!/^\s*[[{]/.test(text) || !/[\]}]\s*$/.test(text)) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** A value in which texts that are JSON objects or arrays are replaced by what they say, as clients send arguments and results. Pure function. */
export function withParsedTexts(value: unknown, depth = 0): unknown {
  if (depth > maxDepth) return value;
  if (typeof value === 'string') {
    const found = parsedText(value);
    return found === value ? value : withParsedTexts(found, depth + 1);
  }
  if (Array.isArray(value))
    return value.every((one) => typeof one === 'number') ? value : value.map((one) => withParsedTexts(one, depth + 1));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withParsedTexts(member, depth + 1)]));
}

/** Lists of at least this many numbers are shown on one line. */
const minVector = 8;
const shownNumbers = 6;
const vector = new RegExp(`\\[\\n\\s+(?:[\\d.eE+-]+,\\n\\s+){${minVector - 1},}[\\d.eE+-]+\\n\\s*\\]`, 'g');

/** Indented JSON in which each list of many numbers takes one line: its first numbers and their count. Not JSON any more if one is shortened. */
export function shownJson(value: unknown): string {
  return jsonText(value).replaceAll(vector, (text) => {
    const numbers = text
      .slice(1, -1)
      .split(',')
      .map((one) => one.trim());
    if (numbers.length <= 2 * minVector) return `[${numbers.join(', ')}]`;
    return `[${numbers.slice(0, shownNumbers).join(', ')}, … ${numbers.length.toLocaleString('en-US')} numbers]`;
  });
}
