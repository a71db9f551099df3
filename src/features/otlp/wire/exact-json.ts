import { withNumbersReplaced } from '../../../platform/json/index.ts';

/** An unquoted number of 16 or more digits. */
const manyDigits = /[:[,]\s*-?\d{16}/g;

/**
 * Parses JSON like `JSON.parse`, but returns an integer that a number cannot hold exactly as a string of its digits: OTLP senders may
 * write nanoseconds as numbers.
 * @throws SyntaxError when the text is not JSON
 */
export function exactJson(text: string): unknown {
  const json = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  const parsed: unknown = JSON.parse(json);
  const exact = withNumbersReplaced(json, manyDigits, digitsAsText);
  return exact === json ? parsed : JSON.parse(exact);
}

function digitsAsText(source: string): string | null {
  return /^-?\d+$/.test(source) && !Number.isSafeInteger(Number(source)) ? `"${source}"` : null;
}
