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
  // As JSON: what takes several units is an escape or a pair. The limit is before the end, where a pair may be halved.
  const json = JSON.stringify(text.slice(0, maxBytes));
  let bytes = 2;
  let end = 1;
  for (;;) {
    const unit = json.charCodeAt(end);
    const isPair = (unit & 0xf800) === 0xd800;
    const units = isPair ? 2 : unit !== 0x5c ? 1 : json[end + 1] === 'u' ? 6 : 2;
    const size = isPair ? 4 : unit < 0x80 ? units : unit < 0x800 ? 2 : 3;
    if (bytes + size > room) break;
    bytes += size;
    end += units;
  }
  return { json: `${json.slice(0, end)}${mark}"`, bytes: bytes + utf8Length(mark), cut: true };
}
