import { parse } from 'csv-parse/sync';

/** How the bytes of a file are read as text. */
export type FileEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

/** What is known of a file that is being read. */
export interface FileFormat {
  encoding: FileEncoding;
  /** Whether a file that is not UTF-8 may be Windows-1252. JSON is never. */
  mayBeWindows: boolean;
  /** What separates the cells of a CSV file; null while nothing says it. */
  delimiter: string | null;
  /** The header of a CSV file, as it is written there. */
  header: readonly string[];
}

/** What is known of a file before its first byte. */
export function unknownFormat(isCsv: boolean): FileFormat {
  return { encoding: 'utf-8', mayBeWindows: isCsv, delimiter: null, header: [] };
}

/**
 * The encoding that the beginning of a file tells: UTF-16 by its byte order mark, or without one by a NUL in the first character, which no text in
 * UTF-8 has; else UTF-8, which the rest of the file may contradict.
 */
export function encodingOf(beginning: Buffer): FileEncoding {
  const [first, second] = beginning;
  if (second === undefined) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (first !== 0 && second === 0) return 'utf-16le';
  return first === 0 && second !== 0 ? 'utf-16be' : 'utf-8';
}

const delimiters = [',', ';', '\t'] as const;
/** Longer beginnings of a file are not parsed to find its delimiter. */
const maxSniffed = 262_144;

/**
 * What separates the cells of a CSV file: of a comma, a semicolon and a tab the one by which most records have as many cells as the header, at least
 * two; of several that by which the header has the most, then the first named. A comma where none does.
 *
 * @param records the first records, the header among them
 */
export function delimiterOf(records: readonly string[]): string {
  const sniffed: string[] = [];
  let length = 0;
  for (const record of records) if ((length += record.length) <= maxSniffed || sniffed.length === 0) sniffed.push(record);
  const found = delimiters.map((delimiter) => {
    const [header = 0, ...others] = sniffed.map((record) => cellsIn(record, delimiter));
    const fitting = others.filter((cells) => cells === header).length;
    return { delimiter, header, share: others.length === 0 ? 1 : fitting / others.length };
  });
  const [best] = found.filter(({ header }) => header > 1).toSorted((a, b) => b.share - a.share || b.header - a.header);
  return best?.delimiter ?? ',';
}

function cellsIn(record: string, delimiter: string): number {
  try {
    const [cells = []] = parse(record.slice(0, maxSniffed), { delimiter, relax_quotes: true, relax_column_count: true });
    return cells.length;
  } catch {
    return 0;
  }
}
