import { parse } from 'csv-parse/sync';
import { readCell } from './csv-cell.ts';
import { jsonFaultAt } from './json-fault.ts';
import { importError } from './import-error.ts';
import type { ImportPlace } from './import-error.ts';
import type { FileLine } from './file-lines.ts';
import { maxLineBytes } from './file-lines.ts';
import type { ItemContents } from './item-rows.ts';
import { maxItemBytes, parseExactly } from './stored-json.ts';
import { ServiceError } from '../../contract/errors.ts';
import { isRecord } from '../../platform/json/index.ts';

export const columns = ['input', 'expectedOutput', 'metadata'] as const;
/** A column of a CSV file, or a field of a JSON line. */
export type ImportColumn = (typeof columns)[number];
const known: readonly string[] = columns;

/** Reads one row, by {@link contentsOfJsonLine} or {@link contentsOfCsvRecord}, in this thread or another. */
export interface ImportReader {
  ofJsonLine(line: number, text: string): Promise<ItemContents>;
  ofCsvRecord(line: number, text: string, header: readonly ImportColumn[]): Promise<ItemContents>;
}

/** The stored form of a row, and its first line. */
export interface ImportRow {
  line: number;
  contents: ItemContents;
}

/**
 * Items of a JSONL file: each line an object with `input` and optionally `expectedOutput` and `metadata`. Blank lines are skipped.
 *
 * Errors: `invalid_request` with line and column.
 */
export async function* jsonlRows(lines: AsyncIterable<readonly FileLine[]>, read: ImportReader): AsyncGenerator<ImportRow> {
  for await (const batch of lines) {
    for (const { number, text } of batch)
      if (text.trim() !== '') yield { line: number, contents: await read.ofJsonLine(number, text) };
  }
}

/** The contents of a line of a JSONL file. Errors: as {@link jsonlRows}. */
export function contentsOfJsonLine(line: number, text: string): ItemContents {
  const row = parsedAt({ line }, text);
  if (!isRecord(row)) throw importError({ line }, 'must be a JSON object with input, and perhaps expectedOutput and metadata');
  const unknown = Object.keys(row).find((name) => !known.includes(name));
  if (unknown !== undefined) throw importError({ line, column: unknown.slice(0, 100) }, 'is not a known field');
  if (!Object.hasOwn(row, 'input')) throw importError({ line, column: 'input' }, 'is required');
  return contentsOf(line, (column) => (Object.hasOwn(row, column) ? { value: row[column] } : null));
}

/**
 * Items of a CSV file (RFC 4180, with a header that names the columns in any order; `input` is required). A cell that is valid JSON is
 * parsed, any other is a text; an empty cell is an empty text as input and no value in the other columns.
 *
 * Errors: `invalid_request` with the first line of the row and the column.
 */
export async function* csvRows(lines: AsyncIterable<readonly FileLine[]>, read: ImportReader): AsyncGenerator<ImportRow> {
  let header: ImportColumn[] | null = null;
  for await (const { line, text } of csvRecords(lines)) {
    if (header === null) {
      if (text.length > maxHeaderLength) throw importError({ line }, `is no header; it names ${columns.join(', ')}`);
      header = headerOf(line, cellsOf(line, text));
      continue;
    }
    yield { line, contents: await read.ofCsvRecord(line, text, header) };
  }
}

/** Maximum length of the header: the three names, quoted. */
const maxHeaderLength = 1_000;

/** The contents of a record of a CSV file with these columns. Errors: as {@link csvRows}. */
export function contentsOfCsvRecord(line: number, text: string, header: readonly ImportColumn[]): ItemContents {
  const cells = cellsOf(line, text);
  if (cells.length !== header.length) {
    throw importError({ line }, `has ${cells.length} columns, and the header ${header.length}`);
  }
  return contentsOf(line, (column) => {
    const cell = cells[header.indexOf(column)];
    if (cell === undefined || (cell === '' && column !== 'input')) return null;
    return { value: readCell(cell) };
  });
}

/** Joins the lines of each record: while the number of quotes is odd, a quoted cell continues on the next line. */
async function* csvRecords(lines: AsyncIterable<readonly FileLine[]>): AsyncGenerator<{ line: number; text: string }> {
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

function cellsOf(line: number, text: string): string[] {
  try {
    const records = parse(text.endsWith('\r') ? text.slice(0, -1) : text, {
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
    'is not CSV; put a cell with quotes, commas or line breaks into double quotes, and double the quotes in it',
  );
}

function headerOf(line: number, cells: readonly string[]): ImportColumn[] {
  const unknown = cells.find((cell) => !known.includes(cell));
  if (unknown !== undefined) {
    throw importError({ line, column: unknown.slice(0, 100) }, `is not a known column; there are ${columns.join(', ')}`);
  }
  const twice = cells.find((cell, index) => cells.indexOf(cell) !== index);
  if (twice !== undefined) throw importError({ line, column: twice }, 'is there twice');
  if (!cells.includes('input')) throw importError({ line, column: 'input' }, 'is missing in the header');
  return cells as ImportColumn[];
}

/** @param read returns the value of a column; null for none */
function contentsOf(line: number, read: (column: ImportColumn) => { value: unknown } | null): ItemContents {
  const cell = (column: ImportColumn) => {
    try {
      return read(column);
    } catch (error) {
      if (error instanceof ServiceError) throw importError({ line, column }, 'nests too deep');
      throw error;
    }
  };
  const expected = cell('expectedOutput');
  const metadata = cell('metadata')?.value ?? {};
  if (!isRecord(metadata)) throw importError({ line, column: 'metadata' }, 'must be a JSON object');
  const contents = {
    input: JSON.stringify(cell('input')?.value),
    expectedOutput: expected && JSON.stringify(expected.value),
    metadata: JSON.stringify(metadata),
    source: null,
  };
  for (const column of columns) {
    if (Buffer.byteLength(contents[column] ?? '') > maxItemBytes)
      throw importError({ line, column }, `has more than ${maxItemSize}`);
  }
  const bytes = columns.reduce((sum, column) => sum + Buffer.byteLength(contents[column] ?? ''), 0);
  if (bytes > maxItemBytes) throw importError({ line }, `has more than ${maxItemSize}`);
  return contents;
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
