/** UTF-8 bytes that a UTF-16 unit takes in a JSON string, as JSON.stringify writes it; 4 for a surrogate pair, at its first unit. */
function bytesOfUnit(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  if (unit < 0x20) return unit === 8 || unit === 9 || unit === 10 || unit === 12 || unit === 13 ? 2 : 6;
  if (unit < 0x80) return unit === 0x22 || unit === 0x5c ? 2 : 1;
  if (unit < 0x800) return 2;
  if (unit < 0xd800 || unit > 0xdfff) return 3;
  return isPair(text, at) ? 4 : 6;
}

function isPair(text: string, at: number): boolean {
  const next = text.charCodeAt(at + 1);
  return (text.charCodeAt(at) & 0xfc00) === 0xd800 && (next & 0xfc00) === 0xdc00;
}

// Without the flag u, which would make it several times slower.
const beyondAscii = /[\u0080-\uffff]/;

/** UTF-8 length in bytes of a text without lone surrogates, such as JSON. */
export function utf8Length(text: string): number {
  // Most texts are ASCII; the expression is faster than the loop.
  if (!beyondAscii.test(text)) return text.length;
  let bytes = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    // Each half of a pair is 2 of its 4 bytes.
    bytes += unit < 0x80 ? 1 : unit < 0x800 || (unit & 0xf800) === 0xd800 ? 2 : 3;
  }
  return bytes;
}

/**
 * A text as a JSON string of limited size.
 *
 * @param maxBytes largest size in UTF-8, quotes included; 64 or more
 * @returns the JSON, its size in bytes, and whether the text was cut; a cut text ends with a mark that states its original length
 */
export function jsonString(text: string, maxBytes: number): { json: string; bytes: number; cut: boolean } {
  if (text.length <= maxBytes - 2) {
    const json = JSON.stringify(text);
    const bytes = utf8Length(json);
    if (bytes <= maxBytes) return { json, bytes, cut: false };
  }
  const mark = `… [cut: ${text.length} characters in all]`;
  const room = maxBytes - utf8Length(mark);
  let bytes = 2;
  let end = 0;
  for (let next = bytesOfUnit(text, 0); bytes + next <= room; next = bytesOfUnit(text, end)) {
    bytes += next;
    // Only a pair takes 4 bytes.
    end += next === 4 ? 2 : 1;
  }
  return { json: JSON.stringify(text.slice(0, end) + mark), bytes: bytes + utf8Length(mark), cut: true };
}
