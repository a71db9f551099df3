const backslash = 0x5c;

/**
 * The offset after the closing quote of the JSON string that opens at `opening`; null when the string is not closed.
 * Not a regular expression: that overflows the stack on strings of several megabytes.
 */
export function behindString(text: string, opening: number): number | null {
  for (let at = text.indexOf('"', opening + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === backslash) slashes++;
    if (slashes % 2 === 0) return at + 1;
  }
  return null;
}
