import type { ReactNode } from 'react';

/** One column of a table. */
export interface Column<Row> {
  id: string;
  title: string;
  /** What it means, where the title does not say. */
  hint?: string;
  /** Pixels; a column that grows takes what is left, at least that much. */
  width: number;
  grow?: boolean;
  align?: 'end';
  cell(row: Row): ReactNode;
  /** What rows are sorted by in the browser; null goes to the end. */
  value?(row: Row): number | string | null;
  /** The service sorts by it. */
  sortable?: boolean;
}

export interface Sort {
  id: string;
  descending: boolean;
}

/** A sort as a URL has it: `cost`, or `-cost` for the largest first. */
export function readSort(text: string): Sort {
  return { id: text.replace(/^-/, ''), descending: text.startsWith('-') };
}

/** The inverse of {@link readSort}. */
export function sortText({ id, descending }: Sort): string {
  return `${descending ? '-' : ''}${id}`;
}
