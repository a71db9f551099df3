const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const values = new Int8Array(128).fill(-1);
for (let index = 0; index < 64; index += 1) values[alphabet.charCodeAt(index)] = index;
values[45] = 62;
values[95] = 63;

/**
 * Decodes Base64 (RFC 4648, either alphabet) up to the first character that is none of it, such as padding. Calls `onByte` with each byte until it answers
 * false.
 *
 * @returns false where `onByte` did
 */
export function eachByte(encoded: string, onByte: (byte: number) => boolean): boolean {
  let bits = 0;
  let width = 0;
  for (let at = 0; at < encoded.length; at += 1) {
    const value = values[encoded.charCodeAt(at)] ?? -1;
    if (value < 0) break;
    bits = ((bits << 6) | value) & 0xffff;
    width += 6;
    if (width < 8) continue;
    width -= 8;
    if (!onByte((bits >> width) & 0xff)) return false;
  }
  return true;
}
