import { jsonText, parseJson } from './parse-json.ts';

/** Texts shorter than this hold no vector worth cutting. */
const shortText = 512;
const keptNumbers = 8;
const longestKept = 16;
const deepest = 64;

/**
 * Cuts embedding vectors in a payload: of more than 16 numbers in a row 8 stay, and a text says how many there were. Nobody
 * reads them, and they are most of the bytes; the attribute itself is kept whole.
 * @param json JSON text
 */
export function shortenVectors(json: string): string {
  if (json.length < shortText) return json;
  const parsed = parseJson(json);
  const short = shorten(parsed, 0);
  return short === parsed ? json : (jsonText(short) ?? json);
}

/** Gives the same object back where nothing was cut. */
function shorten(value: unknown, depth: number): unknown {
  if (depth > deepest) return value;
  if (typeof value === 'string') return shortenText(value, depth);
  if (Array.isArray(value)) return shortenArray(value as readonly unknown[], depth);
  if (typeof value !== 'object' || value === null) return value;
  let changed = false;
  const entries = Object.entries(value).map(([name, member]): [string, unknown] => {
    const short = shorten(member, depth + 1);
    changed ||= short !== member;
    return [name, short];
  });
  return changed ? Object.fromEntries(entries) : value;
}

function shortenArray(values: readonly unknown[], depth: number): unknown {
  if (values.length > longestKept && values.every((item) => typeof item === 'number')) {
    return [...values.slice(0, keptNumbers), `... ${values.length - keptNumbers} more`];
  }
  let changed = false;
  const items = values.map((item) => {
    const short = shorten(item, depth + 1);
    changed ||= short !== item;
    return short;
  });
  return changed ? items : values;
}

/** A vector may be JSON inside a text, or base64, as OpenAI sends them. */
function shortenText(text: string, depth: number): unknown {
  if (text.length < shortText) return text;
  if (text.startsWith('[')) {
    const parsed = parseJson(text);
    if (parsed !== undefined) {
      const short = shorten(parsed, depth + 1);
      return short === parsed ? text : (jsonText(short) ?? text);
    }
  }
  return /^[A-Za-z0-9+/]+={0,2}$/.test(text) ? `${text.slice(0, 32)}... ${text.length - 32} more` : text;
}
