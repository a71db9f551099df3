/**
 * Divides a text into parts that are laid out one by one: at line breaks, and within a longer line before `size` characters, never within a character of two
 * units. The parts joined are the text; a line break ends a part. Pure function.
 */
export function textChunks(text: string, size: number): string[] {
  const chunks: string[] = [];
  for (let at = 0; at < text.length;) {
    let end = Math.min(at + size, text.length);
    if (end < text.length) {
      const line = text.lastIndexOf('\n', end - 1);
      if (line > at) end = line + 1;
      else if (isSecondHalf(text, end)) end -= 1;
    }
    // A character of two units is longer than a part of one.
    if (end === at) end = at + 2;
    chunks.push(text.slice(at, end));
    at = end;
  }
  return chunks;
}

function isSecondHalf(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  const before = text.charCodeAt(at - 1);
  return unit >= 0xdc00 && unit <= 0xdfff && before >= 0xd800 && before <= 0xdbff;
}
