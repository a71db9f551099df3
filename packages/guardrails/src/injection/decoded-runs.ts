import { eachByte } from '../base64.ts';

const run = /(?<![A-Za-z0-9+/_=-])[A-Za-z0-9+/_-]{24,8000}={0,2}(?![A-Za-z0-9+/_=-])/g;

/** A run of Base64 in a text, and the text that it stands for. */
export interface Decoded {
  start: number;
  end: number;
  text: string;
}

/** The runs of Base64 (RFC 4648, either alphabet) that stand for texts of words. Time linear in the text. */
export function decodedRuns(text: string): Decoded[] {
  const found: Decoded[] = [];
  run.lastIndex = 0;
  for (const { index, 0: encoded } of text.matchAll(run)) {
    const decoded = decode(encoded);
    if (decoded !== null) found.push({ start: index, end: index + encoded.length, text: decoded });
  }
  return found;
}

/** The text that a run stands for; null where it is none of words. */
function decode(encoded: string): string | null {
  let escaped = '';
  const isText = eachByte(encoded, (byte) => {
    escaped += `%${byte.toString(16).padStart(2, '0')}`;
    return byte >= 32 || byte === 9 || byte === 10 || byte === 13;
  });
  if (!isText) return null;
  try {
    const decoded = decodeURIComponent(escaped);
    return /[^\s]\s+[^\s]|[\u2e80-\uffff]{4}/.test(decoded) ? decoded : null;
  } catch {
    return null;
  }
}
