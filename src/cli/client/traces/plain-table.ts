import Table from 'cli-table3';
import type { Paint } from '../terminal/terminal.ts';

const borders = ['top', 'bottom', 'left', 'mid', 'right'].flatMap((side) => [
  side,
  `${side}-mid`,
  `${side}-left`,
  `${side}-right`,
]);
/** Columns are set apart by spaces alone. */
const noLines = { ...Object.fromEntries(borders.map((border) => [border, ''])), middle: '  ' };

/**
 * A table without lines.
 *
 * @param rightFrom the first of the columns that hold numbers
 */
export function plainTable(
  headings: readonly string[],
  rightFrom: number,
  rows: ReadonlyArray<readonly string[]>,
  paint: Paint,
): string[] {
  const table = new Table({
    head: headings.map((heading) => paint('bold', heading)),
    chars: noLines,
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] },
    colAligns: headings.map((_, column) => (column >= rightFrom ? 'right' : 'left')),
  });
  for (const row of rows) table.push([...row]);
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd());
}

/** The first characters of a text, with an ellipsis if there are more. */
export function cut(text: string, characters: number): string {
  const all = [...text];
  return all.length <= characters ? text : `${all.slice(0, characters - 1).join('')}…`;
}
