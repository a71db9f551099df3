/** Maximum values in a body of telemetry or dataset items. A body of 16 MiB exceeds it only with values of two or three bytes. */
export const maxBodyValues = 3_000_000;

const quote = 0x22;
const comma = 0x2c;
const openBracket = 0x5b;
const backslash = 0x5c;
const openBrace = 0x7b;

/**
 * Whether a JSON text has more than `max` opening brackets and commas, each of which precedes a value. Checked before parsing, because a
 * parsed value of two bytes takes many times its size in memory. Stops at the first value over the maximum.
 *
 * @param json UTF-8; invalid JSON is counted in the same way
 */
export function holdsMoreValues(json: Uint8Array, max: number): boolean {
  if (json.length <= max) return false;
  let values = 0;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at];
    if (byte === quote) {
      for (at++; at < json.length && json[at] !== quote; at++) if (json[at] === backslash) at++;
    } else if ((byte === comma || byte === openBracket || byte === openBrace) && ++values > max) return true;
  }
  return false;
}
