import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ValuePreview } from '../../content/value-preview.tsx';
import { classNames } from '../../design/class-names.ts';
import type { Column } from '../../design/column.ts';
import { Absent } from '../../design/figures.tsx';
import { formatExact } from '../../format/number-format.ts';
import type { NumberedItem } from './item-columns.tsx';

interface SourceColumns<Row> {
  /** The dataset's items by their ids, as far as they have been read. */
  sources: ReadonlyMap<string, NumberedItem>;
  /** The item that is open. */
  openId: string | undefined;
  idOf(row: Row): string;
  /** Pixels. */
  widths: { number: number; input: number };
}

/** The columns that tell of which item a row is: its number, which opens it, and its input. */
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
        return source ? <ValuePreview value={source.item.input} /> : <Absent why="The item has not been read yet" />;
      },
    },
  ];
}

/** Opens an item beside the list that it stands in. */
export function ItemLink({
  id,
  number,
  openId,
}: {
  id: string;
  number: number | undefined;
  openId: string | undefined;
}): ReactNode {
  const isOpen = id === openId;
  return (
    <Link
      to="."
      search={(before: { item?: string | undefined }) => ({ ...before, item: id })}
      replace
      aria-label={number === undefined ? `Item ${id}` : `Item ${number}`}
      aria-current={isOpen ? 'true' : undefined}
      className={classNames('numbers font-medium hover:text-accent hover:underline', isOpen && 'text-accent')}
    >
      {number === undefined ? '…' : formatExact(number)}
    </Link>
  );
}
