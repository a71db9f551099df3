import type { ReactNode } from 'react';

/** One column of a table. */
export interface Column<Row> {
  id: string;
  title: string;
  /** Tooltip of the title. */
  hint?: string;
  /** Width in pixels; the minimum width of a column with `grow`. */
  width: number;
  grow?: boolean;
  align?: 'end';
  cell(row: Row): ReactNode;
  /** Sort value for sorting in the browser; null sorts last. */
  value?(row: Row): number | string | null;
  /** The service can sort by this column. */
  sortable?: boolean;
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
