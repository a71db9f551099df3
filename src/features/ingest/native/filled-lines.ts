const newline = 0x0a;

/** A line that is not blank: its 1-based number, counting blank lines, and the range of its bytes. */
export interface FilledLine {
  number: number;
  from: number;
  to: number;
}

/**
 * The first `maxLines` lines of a body that are not blank. Works on bytes: a body of 16 MiB may have 16 million lines, which must not become
 * strings.
 */
export function filledLines(body: Uint8Array, maxLines: number): FilledLine[] {
  const lines: FilledLine[] = [];
  let number = 1;
  for (let at = startOf(body); at < body.length && lines.length < maxLines; at++) {
    const byte = body[at];
    if (byte === newline) number++;
    if (byte === newline || byte === 0x20 || byte === 0x09 || byte === 0x0d) continue;
    const end = body.indexOf(newline, at);
    const to = end < 0 ? body.length : end;
    lines.push({ number, from: at, to });
    number++;
    at = to;
  }
  return lines;
}

/** The offset behind a byte order mark, which some editors write. */
function startOf(body: Uint8Array): number {
  return body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf ? 3 : 0;
}
