/** How much a JSON text may hold. */
export interface JsonLimits {
  /** Values: the whole, and every member and entry in it. */
  values: number;
  /** Levels of arrays and objects: `[[]]` has two. */
  levels: number;
}

const quote = 0x22;
const comma = 0x2c;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const space = 0x20;

/**
 * What a JSON text has too much of, in one pass that stops at the first excess; null where it keeps the limits. Asked before the text is parsed: a value
 * of two bytes takes many times its size in memory, and a name that is new takes 2 µs.
 *
 * @param json UTF-8; a text that is not JSON is counted in the same way
 */
export function jsonExcess(json: Uint8Array, { values: maxValues, levels: maxLevels }: JsonLimits): keyof JsonLimits | null {
  // Each value and each level has a byte of its own.
  if (json.length <= maxValues && json.length <= maxLevels) return null;
  let values = 1;
  let levels = 0;
  /** Whether the array or object that was opened last has nothing in it so far. */
  let isEmpty = false;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at] as number;
    if (byte <= space) continue;
    if (byte === closeBracket || byte === closeBrace) {
      isEmpty = false;
      levels -= 1;
      continue;
    }
    if (isEmpty) {
      isEmpty = false;
      if (++values > maxValues) return 'values';
    }
    if (byte === quote) {
      for (at++; at < json.length && json[at] !== quote; at++) if (json[at] === backslash) at++;
    } else if (byte === comma) {
      if (++values > maxValues) return 'values';
    } else if (byte === openBracket || byte === openBrace) {
      isEmpty = true;
      if (++levels > maxLevels) return 'levels';
    }
  }
  return null;
}
