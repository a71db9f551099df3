import { jsonText, parseJson } from '../readers/parse-json.ts';

/** Shorter texts are left unchanged. */
const minShortenedLength = 512;
const keptNumbers = 8;
const maxKeptLength = 16;
const maxDepth = 64;

/**
 * Shortens embedding vectors in a payload, which are most of its bytes: of an array of more than 16 numbers the first 8 stay, followed
 * by a text with the count of the others. The stored attribute keeps them all: docs/semantics.md, "OTLP attributes".
 * @param json JSON text
 */
export function shortenVectors(json: string): string {
  if (json.length < minShortenedLength) return json;
  const parsed = parseJson(json);
  const short = shorten(parsed, 0);
  return short === parsed ? json : (jsonText(short) ?? json);
}

/** Returns the same object where nothing was shortened. */
function shorten(value: unknown, depth: number): unknown {
  if (depth > maxDepth) return value;
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
  if (values.length > maxKeptLength && values.every((item) => typeof item === 'number')) {
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

/** A vector may also be JSON inside a text, or base64 as OpenAI returns it. */
function shortenText(text: string, depth: number): unknown {
  if (text.length < minShortenedLength) return text;
  if (text.startsWith('[')) {
    const parsed = parseJson(text);
    if (parsed !== undefined) {
      const short = shorten(parsed, depth + 1);
      return short === parsed ? text : (jsonText(short) ?? text);
    }
  }
  return /^[A-Za-z0-9+/]+={0,2}$/.test(text) ? `${text.slice(0, 32)}... ${text.length - 32} more` : text;
}
