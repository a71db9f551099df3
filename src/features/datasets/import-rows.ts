import { parse } from 'csv-parse/sync';
import { externalId as externalIdSchema, longestExternalId } from '../../contract/datasets.ts';
import type { ImportColumns } from '../../contract/datasets.ts';
import { readCell } from './csv-cell.ts';
import { delimiterOf } from './file-format.ts';
import type { FileFormat } from './file-format.ts';
import { columns, layoutOf } from './row-layout.ts';
import type { CsvLayout, ImportColumn } from './row-layout.ts';
import { jsonFaultAt } from './json-fault.ts';
import { importError } from './import-error.ts';
import type { ImportPlace } from './import-error.ts';
import type { FileLine } from './file-lines.ts';
import { maxLineBytes } from './file-lines.ts';
import type { ItemContents } from './item-rows.ts';
import { maxItemBytes, parseExactly } from './stored-json.ts';
import { ServiceError } from '../../contract/errors.ts';
import { isRecord } from '../../platform/json/index.ts';

const known: readonly string[] = columns;

/** Reads one row, by {@link contentsOfJsonLine} or {@link contentsOfCsvRecord}, in this thread or another. */
export interface ImportReader {
  ofJsonLine(line: number, text: string, chosen: ImportColumns | undefined): Promise<ItemContents>;
  ofCsvRecord(line: number, text: string, layout: CsvLayout): Promise<ItemContents>;
}

/** The stored form of a row, and its first line. */
export interface ImportRow {
  line: number;
  contents: ItemContents;
}

/** How a file is read. */
export interface ImportSettings {
  read: ImportReader;
  /** Is told the delimiter and the header of a CSV file. */
  format: FileFormat;
  columns: ImportColumns | undefined;
}

type Lines = AsyncIterable<readonly FileLine[]>;

/**
 * Items of a JSONL file: each line an object with `input` and optionally `expectedOutput`, `metadata` and `externalId`, or with the chosen fields.
 * Blank lines are skipped.
 *
 * Errors: `invalid_request` with line and column.
 */
export async function* jsonlRows(lines: Lines, { read, columns: chosen }: ImportSettings): AsyncGenerator<ImportRow> {
  for await (const batch of lines) {
    for (const { number, text } of batch)
      if (text.trim() !== '') yield { line: number, contents: await read.ofJsonLine(number, text, chosen) };
  }
}

/** The contents of a line of a JSONL file. Errors: as {@link jsonlRows}. */
export function contentsOfJsonLine(line: number, text: string, chosen?: ImportColumns): ItemContents {
  const row = parsedAt({ line }, text);
  if (!isRecord(row)) throw importError({ line }, 'must be a JSON object with input, and perhaps expectedOutput and metadata');
  if (chosen === undefined) {
    const unknown = Object.keys(row).find((name) => !known.includes(name));
    if (unknown !== undefined) throw importError({ line, column: unknown.slice(0, 100) }, 'is not a known field');
  }
  const field = (name: string) => (Object.hasOwn(row, name) ? { value: row[name] } : null);
  const contents = contentsOf(line, (column) => {
    const names = chosen === undefined ? column : chosen[column];
    if (names === undefined) return null;
    if (!Array.isArray(names)) return wrapped(column, names, field(names), chosen !== undefined);
    return { value: Object.fromEntries(names.flatMap((name) => (Object.hasOwn(row, name) ? [[name, row[name]]] : []))) };
  });
  if (contents !== null) return contents;
  throw importError({ line, column: [chosen?.input ?? 'input'].flat().join(', ') }, 'is required');
}

/** Metadata of one chosen column that is no object is an object with the column. */
function wrapped(column: ImportColumn, name: string, cell: Cell, isChosen: boolean): Cell {
  if (column !== 'metadata' || !isChosen || cell === null || isRecord(cell.value)) return cell;
  return { value: { [name]: cell.value } };
}

/**
 * Items of a CSV file (RFC 4180, or with semicolons or tabs for commas; with a header, see {@link layoutOf}). A cell that is valid JSON is parsed, any
 * other is a text; an empty cell is an empty text as input and no value in the other columns.
 *
 * Errors: `invalid_request` with the first line of the row and the column.
 */
export async function* csvRows(lines: Lines, { read, format, columns: chosen }: ImportSettings): AsyncGenerator<ImportRow> {
  const first: CsvRecord[] = [];
  let layout: CsvLayout | null = null;
  const records = csvRecords(lines);
  const begin = (): CsvRecord[] => {
    const [header, ...others] = first;
    if (!header) return [];
    if (header.text.length > maxHeaderLength) throw importError({ line: header.line }, 'is no header: it is too long');
    format.delimiter = delimiterOf(first.map(({ text }) => text));
    format.header = cellsOf(header.line, header.text, format.delimiter);
    layout = layoutOf(header.line, { header: format.header, delimiter: format.delimiter }, chosen);
    return others;
  };
  const row = async ({ line, text }: CsvRecord, known: CsvLayout): Promise<ImportRow> => ({
    line,
    contents: await read.ofCsvRecord(line, text, known),
  });
  for await (const record of records) {
    if (layout !== null) {
      yield await row(record, layout);
      continue;
    }
    first.push(record);
    if (first.length < sniffedRecords) continue;
    for (const one of begin()) if (layout !== null) yield await row(one, layout);
  }
  if (layout === null) for (const one of begin()) if (layout !== null) yield await row(one, layout);
}

interface CsvRecord {
  line: number;
  text: string;
}

/** Records that are read before the delimiter is decided on. */
const sniffedRecords = 21;
/** Maximum length of the header. */
const maxHeaderLength = 65_536;

/** The contents of a record of a CSV file with this layout. Errors: as {@link csvRows}. */
export function contentsOfCsvRecord(line: number, text: string, { delimiter, width, parts }: CsvLayout): ItemContents {
  const cells = cellsOf(line, text, delimiter);
  if (cells.length !== width) throw importError({ line }, `has ${cells.length} columns, and the header ${width}`);
  const contents = contentsOf(line, (column) => {
    const part = parts[column];
    if (part === undefined) return null;
    const given = part.columns.flatMap(({ name, index }): Array<[string, string]> => {
      const cell = cells[index] ?? '';
      return cell === '' && column !== 'input' ? [] : [[name, cell]];
    });
    if (part.isObject) return { value: Object.fromEntries(given.map(([name, cell]) => [name, readCell(cell)])) };
    const [only] = given;
    if (only === undefined) return null;
    const value = readCell(only[1]);
    // An id stays as it is written, such as 007 or 1e5.
    if (column === 'externalId') return { value: typeof value === 'string' ? value : only[1] };
    return wrapped(column, only[0], { value }, part.isChosen);
  });
  if (contents !== null) return contents;
  throw importError({ line, column: 'input' }, 'is required');
}

/** Joins the lines of each record: while the number of quotes is odd, a quoted cell continues on the next line. */
async function* csvRecords(lines: Lines): AsyncGenerator<CsvRecord> {
  let open: OpenRecord | null = null;
  for await (const batch of lines) {
    for (const line of batch) {
      if (open === null && line.text.trim() === '') continue;
      open ??= new OpenRecord(line.number);
      open.add(line);
      if (!open.whole) continue;
      yield { line: open.line, text: open.text() };
      open = null;
    }
  }
  if (open !== null) throw importError({ line: open.line }, 'has a quote that is not closed');
}

/** A record with an open quote. */
class OpenRecord {
  /** Its first line. */
  readonly line: number;
  #last: number;
  #parts: string[] = [];
  #length = 0;
  #quotes = 0;

  constructor(line: number) {
    this.line = line;
    this.#last = line;
  }

  /** Whether all its quotes are closed. */
  get whole(): boolean {
    return this.#quotes % 2 === 0;
  }

  add({ number, text }: FileLine): void {
    // More than one line break where empty lines were skipped.
    const lineFeeds = number - this.#last;
    this.#length += lineFeeds + text.length;
    if (this.#length > maxLineBytes) throw importError({ line: this.line }, 'is too long, or has a quote that is not closed');
    this.#parts.push('\n'.repeat(lineFeeds), text);
    this.#quotes += countQuotes(text);
    this.#last = number;
  }

  text(): string {
    return this.#parts.join('');
  }
}

function countQuotes(text: string): number {
  let count = 0;
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at + 1)) count += 1;
  return count;
}

function cellsOf(line: number, text: string, delimiter: string): string[] {
  try {
    const records = parse(text.endsWith('\r') ? text.slice(0, -1) : text, {
      delimiter,
      record_delimiter: ['\r\n', '\n'],
      relax_column_count: true,
    });
    const [cells] = records;
    if (cells && records.length === 1) return cells;
  } catch {
    // Replace csv-parse's error, whose line numbers are relative to the record.
  }
  throw importError(
    { line },
    'is not CSV; put a cell with quotes, delimiters or line breaks into double quotes, and double the quotes in it',
  );
}

type Cell = { value: unknown } | null;

/** @param read returns the value of a column; null for none. @returns null without an input */
function contentsOf(line: number, read: (column: ImportColumn) => Cell): ItemContents | null {
  const cell = (column: ImportColumn) => {
    try {
      return read(column);
    } catch (error) {
      if (error instanceof ServiceError) throw importError({ line, column }, 'nests too deep');
      throw error;
    }
  };
  const input = cell('input');
  if (input === null) return null;
  const expected = cell('expectedOutput');
  const metadata = cell('metadata')?.value ?? {};
  if (!isRecord(metadata)) throw importError({ line, column: 'metadata' }, 'must be a JSON object');
  const contents = {
    input: JSON.stringify(input.value),
    expectedOutput: expected && JSON.stringify(expected.value),
    metadata: JSON.stringify(metadata),
    externalId: externalIdOf(line, cell('externalId')),
    source: null,
  };
  for (const column of contentColumns) {
    if (Buffer.byteLength(contents[column] ?? '') > maxItemBytes)
      throw importError({ line, column }, `has more than ${maxItemSize}`);
  }
  const bytes = contentColumns.reduce((sum, column) => sum + Buffer.byteLength(contents[column] ?? ''), 0);
  if (bytes > maxItemBytes) throw importError({ line }, `has more than ${maxItemSize}`);
  return contents;
}

const contentColumns = ['input', 'expectedOutput', 'metadata'] as const;

/** A number is an id too, as it is written. */
function externalIdOf(line: number, cell: Cell): string | null {
  if (cell === null || cell.value === null || cell.value === '') return null;
  const id = typeof cell.value === 'string' ? cell.value : JSON.stringify(cell.value);
  const isNumber = typeof cell.value !== 'string' && /^-?\d/.test(id);
  const read = externalIdSchema.safeParse(typeof cell.value === 'string' || isNumber ? id : undefined);
  if (read.success) return read.data;
  throw importError({ line, column: 'externalId' }, `must be a text or number of at most ${longestExternalId} characters`);
}

const maxItemSize = `${maxItemBytes / 1_048_576} MiB`;

function parsedAt(place: ImportPlace, text: string): unknown {
  try {
    return parseExactly(text);
  } catch (error) {
    if (error instanceof ServiceError) throw importError(place, 'nests too deep');
    throw importError({ ...place, column: jsonFaultAt(text) + 1 }, 'is not valid JSON');
  }
}
