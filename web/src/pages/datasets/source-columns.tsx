import { ValuePreview } from '../../content/value-preview.tsx';
import type { Column } from '../../design/column.ts';
import { Absent } from '../../design/figures.tsx';
import { ItemLink } from './item-link.tsx';
import type { NumberedItem } from './item-columns.tsx';

interface SourceColumns<Row> {
  /** The loaded dataset items by ID. */
  sources: ReadonlyMap<string, NumberedItem>;
  /** The selected item. */
  openId: string | undefined;
  idOf(row: Row): string;
  /** Pixels. */
  widths: { number: number; input: number };
}

/** The columns that identify the item of a row: its number, linked, and its input. */
export function sourceColumns<Row>({ sources, openId, idOf, widths }: SourceColumns<Row>): ReadonlyArray<Column<Row>> {
  return [
    {
      id: 'number',
      title: '#',
      width: widths.number,
      cell: (row) => <ItemLink id={idOf(row)} number={sources.get(idOf(row))?.number} openId={openId} />,
    },
    {
      id: 'input',
      title: 'Input',
      width: widths.input,
      grow: true,
      cell: (row) => {
        const source = sources.get(idOf(row));
        return source ? <ValuePreview value={source.item.input} /> : <Absent why="Not loaded" />;
      },
    },
  ];
}
