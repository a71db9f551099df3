import { LineCounter } from 'yaml';

/**
 * Gives the place of an offset of a text: line and column from 1, columns in UTF-16 units. An offset beyond the text is taken as its end. The lines are
 * counted here and not by the parser, which stops at the limits of a file.
 */
export function placesIn(text: string): (offset: number) => { line: number; column: number } {
  const lines = new LineCounter();
  lines.addNewLine(0);
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', end + 1)) lines.addNewLine(end + 1);
  return (offset) => {
    const { line, col } = lines.linePos(Math.min(offset, text.length));
    return { line, column: col };
  };
}
