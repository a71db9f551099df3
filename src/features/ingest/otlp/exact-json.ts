import { withNumbersReplaced } from '../../../platform/json/index.ts';

/** Times that stand in quotes, as every body has them, are none. */
const manyDigits = /[:[,]\s*-?\d{16}/g;

/**
 * `JSON.parse`, but an integer too large to be exact comes back as a string of its digits: OTLP senders may write times in
 * nanoseconds as bare numbers.
 * @throws SyntaxError
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
