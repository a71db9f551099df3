import type { ImportColumns } from '../../contract/datasets.ts';
import { importError } from './import-error.ts';

export const columns = ['input', 'expectedOutput', 'metadata', 'externalId'] as const;
/** A part of an item. */
export type ImportColumn = (typeof columns)[number];

/** Which columns of a CSV file make which part of an item. Passes between threads. */
export interface CsvLayout {
  delimiter: string;
  /** Cells of a record. */
  width: number;
  /** Several columns make an object with their names. */
  parts: Readonly<Partial<Record<ImportColumn, CsvPart>>>;
}

interface CsvPart {
  columns: ReadonlyArray<{ name: string; index: number }>;
  isObject: boolean;
  /** Whether the request chose the columns. */
  isChosen: boolean;
}

/**
 * The layout of a CSV file. Without chosen columns its header has the names of the parts, in any case and with spaces, `_` or `-` between words.
 *
 * Errors: `invalid_request` for an unknown column, one that is there twice, and a header without input; with `columns`, the names of the header.
 */
export function layoutOf(
  line: number,
  { header, delimiter }: { header: readonly string[]; delimiter: string },
  chosen: ImportColumns | undefined,
): CsvLayout {
  const refuse = (column: string, problem: string) =>
    importError({ line, column: column.slice(0, 100) }, problem, {
      columns: header.slice(0, 1_000).map((name) => name.slice(0, 200)),
    });
  const parts = chosen === undefined ? partsOfHeader(header, refuse) : chosenParts(header, chosen, refuse);
  if (parts.input === undefined) throw refuse('input', 'is missing in the header; name the column of the input in columns');
  return { delimiter, width: header.length, parts };
}

type Parts = Partial<Record<ImportColumn, CsvPart>>;
type Refuse = (column: string, problem: string) => Error;

const partOfName = new Map(columns.map((column) => [plain(column), column]));

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_-]/g, '');
}

function partsOfHeader(header: readonly string[], refuse: Refuse): Parts {
  const parts: Parts = {};
  for (const [index, name] of header.entries()) {
    const column = partOfName.get(plain(name));
    if (column === undefined)
      throw refuse(name, `is not a known column; there are ${columns.join(', ')}, or name the columns of the file in columns`);
    if (parts[column] !== undefined) throw refuse(name, 'is there twice');
    parts[column] = { columns: [{ name, index }], isObject: false, isChosen: false };
  }
  return parts;
}

function chosenParts(header: readonly string[], chosen: ImportColumns, refuse: Refuse): Parts {
  const place = (name: string) => {
    const index = header.indexOf(name);
    if (index < 0) throw refuse(name, 'is not in the header');
    if (header.includes(name, index + 1)) throw refuse(name, 'is there twice');
    return { name, index };
  };
  const parts: Parts = {};
  for (const column of columns) {
    const names = chosen[column];
    if (names === undefined) continue;
    parts[column] = { columns: [names].flat().map(place), isObject: Array.isArray(names), isChosen: true };
  }
  return parts;
}
