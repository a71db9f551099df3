import { parseExactly } from './stored-json.ts';
import type { JsonText } from './tables.ts';

/** The beginnings of a cell that a spreadsheet may run as a formula (OWASP, "CSV Injection"), full-width signs among them. */
const formula = /^[=+\-@\t\r\n＝＋－＠]/;
/**
 * The same further inside. A program whose separator is `;` or a tab, as Excel's is in many countries, does not read the quotes of a file with commas as they
 * are meant, and begins a cell there.
 */
const formulaInside = /[;\t\r\n][=+\-@＝＋－＠]/;
/** In JSON text: tabs and line breaks are escaped there. */
const separatorInJson = /;(?=[=+\-@＝＋－＠])/g;

/**
 * The value of a CSV cell: parsed if it is valid JSON, else its text. `42`, `true`, `{"a":1}` and `"42"` are JSON; `007` and `hello` are
 * texts.
 *
 * Errors: `invalid_request` for JSON nested too deep.
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
 * The cell that {@link readCell} reads as this value; `''` for no value. A text is written as it is, unless it is empty, is valid JSON,
 * looks like a formula to spreadsheets, wherever they begin a cell, or cannot be encoded; then it is written as a JSON string.
 */
export function writeCell(json: JsonText | null): string {
  if (json === null) return '';
  if (!json.startsWith('"')) return withoutFormulas(json);
  const text = JSON.parse(json) as string;
  const looksLikeFormula = formula.test(text) || formulaInside.test(text);
  const plain = text !== '' && text.isWellFormed() && !text.includes('\0') && !looksLikeFormula && !isJson(text);
  return plain ? text : withoutFormulas(json);
}

/** JSON text of the same value in which no semicolon stands before the sign of a formula. A semicolon occurs within strings only. */
export function withoutFormulas(json: JsonText): JsonText {
  return json.replace(separatorInJson, '\\u003b');
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
