const backslash = 0x5c;

/**
 * Behind the closing quote of the JSON string that opens at `opening`; null when it has none. A regular expression over a text of megabytes
 * would run out of stack.
 */
export function behindString(text: string, opening: number): number | null {
  for (let at = text.indexOf('"', opening + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === backslash) slashes++;
    if (slashes % 2 === 0) return at + 1;
  }
  return null;
}
