import type { Column } from '../../design/column.ts';
import type { ChosenColumn } from './column-choice.ts';

/**
 * The chosen columns of those that there are, with their widths. One column at least takes the room that is left.
 *
 * @param made the column of an id that has one of its own: scores of an evaluator, a key of metadata
 */
export function shownColumns<Row>(
  available: ReadonlyArray<Column<Row>>,
  chosen: readonly ChosenColumn[],
  made: (id: string) => Column<Row> | undefined,
): ReadonlyArray<Column<Row>> {
  const shown = chosen.flatMap(({ id, width }): Array<Column<Row>> => {
    const column = made(id) ?? available.find((one) => one.id === id);
    if (column === undefined) return [];
    return [width === undefined ? column : { ...column, width, grow: false }];
  });
  const last = shown.findLast(({ align }) => align === undefined) ?? shown.at(-1);
  return shown.some(({ grow }) => grow) ? shown : shown.map((column) => (column === last ? { ...column, grow: true } : column));
}
