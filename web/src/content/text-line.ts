/** One line of a text without its line ending; null if it does not exist. @param line 1-based */
export function lineOf(text: string, line: number): string | null {
  let start = 0;
  for (let at = 1; at < line; at++) {
    const end = text.indexOf('\n', start);
    if (end < 0) return null;
    start = end + 1;
  }
  const end = text.indexOf('\n', start);
  return text.slice(start, end < 0 ? undefined : end).replace(/\r$/, '');
}

/** An excerpt of a line around a character, and the character's index in the excerpt. @param character 1-based */
export function excerptAt(line: string, character: number, maxLength: number): { text: string; at: number } {
  const start = Math.max(0, Math.min(character - 1 - Math.floor(maxLength / 2), line.length - maxLength));
  const prefix = start > 0 ? '…' : '';
  return {
    text: prefix + line.slice(start, start + maxLength) + (start + maxLength < line.length ? '…' : ''),
    at: character - 1 - start + prefix.length,
  };
}
