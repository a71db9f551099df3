const run = /(?<![A-Za-z0-9+/_=-])[A-Za-z0-9+/_-]{24,8000}={0,2}(?![A-Za-z0-9+/_=-])/g;
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const values = new Int8Array(128).fill(-1);
for (let index = 0; index < 64; index += 1) values[alphabet.charCodeAt(index)] = index;
values[45] = 62;
values[95] = 63;

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
  let bits = 0;
  let width = 0;
  for (let at = 0; at < encoded.length; at += 1) {
    const value = values[encoded.charCodeAt(at)] ?? -1;
    if (value < 0) break;
    bits = ((bits << 6) | value) & 0xffff;
    width += 6;
    if (width < 8) continue;
    width -= 8;
    const byte = (bits >> width) & 0xff;
    if (byte < 32 && byte !== 9 && byte !== 10 && byte !== 13) return null;
    escaped += `%${byte.toString(16).padStart(2, '0')}`;
  }
  try {
    const decoded = decodeURIComponent(escaped);
    return /[^\s]\s+[^\s]|[\u2e80-\uffff]{4}/.test(decoded) ? decoded : null;
  } catch {
    return null;
  }
}
