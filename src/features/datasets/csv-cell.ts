import { parseExactly } from './stored-json.ts';
import type { JsonText } from './tables.ts';

/** What a spreadsheet would run as a formula when a cell begins with it. */
const formula = /^[=+\-@\t\r]/;

/**
 * What a cell of a CSV file stands for: the JSON value that it is, else its text. So `42`, `true`, `{"a":1}` and `"42"` are JSON, `007` and
 * `hello` are texts.
 *
 * Errors: `invalid_request` for JSON that nests too deep.
 */
export function readCell(cell: string): unknown {
  try {
    return parseExactly(cell);
  } catch (error) {
    if (error instanceof SyntaxError) return cell;
    throw error;
  }
}

/**
 * The cell that {@link readCell} reads as this value; `''` for none. A text stands as it is where it can: one that would be read as JSON, that
 * is empty, that a spreadsheet would take for a formula, or that a file cannot hold, is written as a JSON string.
 */
export function writeCell(json: JsonText | null): string {
  if (json === null) return '';
  if (!json.startsWith('"')) return json;
  const text = JSON.parse(json) as string;
  const plain = text !== '' && text.isWellFormed() && !text.includes('\0') && !formula.test(text) && !isJson(text);
  return plain ? text : json;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
