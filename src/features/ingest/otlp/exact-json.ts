/** A number of 16 digits or more, which may not fit a JavaScript number: found inside strings too, which costs time alone. */
const manyDigits = /[:[,]\s*-?\d{16}/;

/**
 * `JSON.parse`, but an integer too large to be exact comes back as a string of its digits: OTLP senders may write times in
 * nanoseconds as bare numbers.
 * @throws SyntaxError, or RangeError for text that nests too deep.
 */
export function exactJson(text: string): unknown {
  const json = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  if (!manyDigits.test(json)) return JSON.parse(json);
  return JSON.parse(json, keepDigits);
}

function keepDigits(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
  const source = context?.source;
  return source !== undefined && /^-?\d+$/.test(source) ? source : value;
}
