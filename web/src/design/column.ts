import type { ReactNode } from 'react';

/** One column of a table. */
export interface Column<Row> {
  id: string;
  title: string;
  /** Instead of the title at the head of the column. */
  head?: ReactNode;
  /** Tooltip of the title. */
  hint?: string;
  /** Width in pixels; the minimum width of a column with `grow`. */
  width: number;
  grow?: boolean;
  /** Its width where the table scrolls sideways anyway, as on a phone. */
  scrolledWidth?: number;
  align?: 'end';
  /** Left out where the table fits its window without such columns only. The page of a row shows what is left out. */
  droppable?: boolean;
  cell(row: Row): ReactNode;
  /** Sort value for sorting in the browser; null sorts last. */
  value?(row: Row): number | string | null;
  /** The service can sort by this column. */
  sortable?: boolean;
}

/**
 * The columns that a table of a width shows: all, or without droppable ones, from the last, as many as it takes. Where even that does not make it fit it shows
 * all and scrolls sideways.
 *
 * @param width pixels; null before the table is measured
 */
export function fittingColumns<Row>(columns: ReadonlyArray<Column<Row>>, width: number | null): ReadonlyArray<Column<Row>> {
  if (width === null) return columns;
  const widthOf = (some: ReadonlyArray<Column<Row>>) => some.reduce((sum, column) => sum + column.width, 0);
  let shown = columns;
  while (widthOf(shown) > width) {
    const dropped = shown.findLast(({ droppable }) => droppable);
    if (dropped === undefined) return columns;
    shown = shown.filter((column) => column !== dropped);
  }
  return shown;
}

/**
 * The width of each column, in pixels; of one with `grow` the least.
 *
 * @param width pixels of the table; null before it is measured
 */
export function columnWidths<Row>(columns: ReadonlyArray<Column<Row>>, width: number | null): number[] {
  const widths = columns.map((column) => column.width);
  const scrolls = width !== null && widths.reduce((sum, one) => sum + one, 0) > width;
  return scrolls ? columns.map((column) => column.scrolledWidth ?? column.width) : widths;
}

export interface Sort {
  id: string;
  descending: boolean;
}

/** Parses the sort of a URL: `cost`, or `-cost` for descending order. */
export function readSort(text: string): Sort {
  return { id: text.replace(/^-/, ''), descending: text.startsWith('-') };
}

/** The inverse of {@link readSort}. */
export function sortText({ id, descending }: Sort): string {
  return `${descending ? '-' : ''}${id}`;
}
