/** What a body of telemetry or of items may hold: more than its 16 MiB have room for, unless most are of two or three bytes. */
export const mostBodyValues = 3_000_000;

const quote = 0x22;
const comma = 0x2c;
const openBracket = 0x5b;
const backslash = 0x5c;
const openBrace = 0x7b;

/**
 * Whether JSON has more than so many brackets that open and commas, each of which stands before a value: parsed, a value of two bytes takes
 * many times as much time and memory. Stops as soon as it is known.
 *
 * @param json UTF-8; what is no JSON is counted as if it were
 */
export function holdsMoreValues(json: Uint8Array, most: number): boolean {
  if (json.length <= most) return false;
  let values = 0;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at];
    if (byte === quote) {
      for (at++; at < json.length && json[at] !== quote; at++) if (json[at] === backslash) at++;
    } else if ((byte === comma || byte === openBracket || byte === openBrace) && ++values > most) return true;
  }
  return false;
}
