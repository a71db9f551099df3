import { parse } from 'csv-parse/sync';
import { readCell } from './csv-cell.ts';
import { jsonFaultAt } from './json-fault.ts';
import { importError } from './import-error.ts';
import type { ImportPlace } from './import-error.ts';
import type { FileLine } from './file-lines.ts';
import { mostLineBytes } from './file-lines.ts';
import type { ItemContents } from './item-rows.ts';
import { mostItemBytes, parseExactly } from './stored-json.ts';
import { ServiceError } from '../../contract/errors.ts';

export const columns = ['input', 'expectedOutput', 'metadata'] as const;
type Column = (typeof columns)[number];
const known: readonly string[] = columns;

/** A row of a file, as it is stored, and the line on which it begins. */
export interface ImportRow {
  line: number;
  contents: ItemContents;
}

/**
 * Items of a JSONL file: each line an object with `input` and perhaps `expectedOutput` and `metadata`. Blank lines are skipped.
 *
 * Errors: `invalid_request`, naming the line and the column.
 */
export async function* jsonlRows(lines: AsyncIterable<readonly FileLine[]>): AsyncGenerator<ImportRow> {
  for await (const batch of lines) {
    for (const { number, text } of batch) if (text.trim() !== '') yield jsonlRow(number, text);
  }
}

function jsonlRow(line: number, text: string): ImportRow {
  const row = parsedAt({ line }, text);
  if (!isObject(row)) throw importError({ line }, 'must be a JSON object with input, and perhaps expectedOutput and metadata');
  const stranger = Object.keys(row).find((name) => !known.includes(name));
  if (stranger !== undefined) throw importError({ line, column: stranger.slice(0, 100) }, 'is not a known field');
  if (!Object.hasOwn(row, 'input')) throw importError({ line, column: 'input' }, 'is required');
  return toRow(line, (column) => (Object.hasOwn(row, column) ? { value: row[column] } : null));
}

/**
 * Items of a CSV file (RFC 4180, with a header that names the columns in any order; `input` must be among them). A cell that is JSON is
 * read as JSON, any other as text; an empty cell is an empty text as input, and nothing in the other columns.
 *
 * Errors: `invalid_request`, naming the line on which the row begins, and the column.
 */
export async function* csvRows(lines: AsyncIterable<readonly FileLine[]>): AsyncGenerator<ImportRow> {
  let header: Column[] | null = null;
  for await (const { line, text } of csvRecords(lines)) {
    const cells = cellsOf(line, text);
    if (header === null) {
      header = headerOf(line, cells);
      continue;
    }
    if (cells.length !== header.length) {
      throw importError({ line }, `has ${cells.length} columns, and the header ${header.length}`);
    }
    const names = header;
    yield toRow(line, (column) => {
      const cell = cells[names.indexOf(column)];
      if (cell === undefined || (cell === '' && column !== 'input')) return null;
      return { value: readCell(cell) };
    });
  }
}

/** Lines that belong together since a quoted cell goes on over several: then the quotes up to there are an odd number. */
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

/** A record whose lines are still coming. */
class OpenRecord {
  /** Where it begins. */
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
    // More than one where empty lines were left out.
    const lineFeeds = number - this.#last;
    this.#length += lineFeeds + text.length;
    if (this.#length > mostLineBytes) throw importError({ line: this.line }, 'is too long, or has a quote that is not closed');
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
    // Falls through to the refusal: what csv-parse says counts lines from the beginning of the row.
  }
  throw importError(
    { line },
    'is not CSV; put a cell with quotes, commas or line breaks into double quotes, and double the quotes in it',
  );
}

function headerOf(line: number, cells: readonly string[]): Column[] {
  const stranger = cells.find((cell) => !known.includes(cell));
  if (stranger !== undefined) {
    throw importError({ line, column: stranger.slice(0, 100) }, `is not a known column; there are ${columns.join(', ')}`);
  }
  const twice = cells.find((cell, index) => cells.indexOf(cell) !== index);
  if (twice !== undefined) throw importError({ line, column: twice }, 'is there twice');
  if (!cells.includes('input')) throw importError({ line, column: 'input' }, 'is missing in the header');
  return cells as Column[];
}

/** @param read what the row has in a column; null for nothing */
function toRow(line: number, read: (column: Column) => { value: unknown } | null): ImportRow {
  const cell = (column: Column) => {
    try {
      return read(column);
    } catch (error) {
      if (error instanceof ServiceError) throw importError({ line, column }, 'nests too deep');
      throw error;
    }
  };
  const expected = cell('expectedOutput');
  const metadata = cell('metadata')?.value ?? {};
  if (!isObject(metadata)) throw importError({ line, column: 'metadata' }, 'must be a JSON object');
  const contents = {
    input: JSON.stringify(cell('input')?.value),
    expectedOutput: expected && JSON.stringify(expected.value),
    metadata: JSON.stringify(metadata),
    source: null,
  };
  for (const column of columns) {
    if (Buffer.byteLength(contents[column] ?? '') > mostItemBytes)
      throw importError({ line, column }, `has more than ${megabytes}`);
  }
  const bytes = columns.reduce((sum, column) => sum + Buffer.byteLength(contents[column] ?? ''), 0);
  if (bytes > mostItemBytes) throw importError({ line }, `has more than ${megabytes}`);
  return { line, contents };
}

const megabytes = `${mostItemBytes / 1_048_576} MB`;

function parsedAt(place: ImportPlace, text: string): unknown {
  try {
    return parseExactly(text);
  } catch (error) {
    if (error instanceof ServiceError) throw importError(place, 'nests too deep');
    throw importError({ ...place, column: jsonFaultAt(text) + 1 }, 'is not valid JSON');
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
