/** A record as an export writes it: the list's fields, and perhaps payloads as JSON texts (`''`: none). */
export interface ExportedRecord {
  fields: Readonly<Record<string, unknown>>;
  payloads: Readonly<Record<(typeof payloadNames)[number], string>> | null;
}

export const payloadNames = ['input', 'output', 'metadata', 'attributes'] as const;

/** The line of a record in JSON Lines. Payloads are the stored text, so that numbers stay as they were sent. */
export function jsonLine({ fields, payloads }: ExportedRecord): string {
  const json = JSON.stringify(fields);
  if (payloads === null) return `${json}\n`;
  const members = payloadNames.map((name) => `,"${name}":${payloads[name] || 'null'}`);
  return `${json.slice(0, -1)}${members.join('')}}\n`;
}

/** The first line of a CSV file. */
export function csvHeader(columns: readonly string[], withPayloads: boolean): string {
  return `${[...columns, ...(withPayloads ? payloadNames : [])].map(quoted).join(',')}\n`;
}

/** The line of a record in CSV: every cell is quoted, and no text begins as a formula does. Lists and objects are JSON. */
export function csvLine(columns: readonly string[], { fields, payloads }: ExportedRecord): string {
  const cells = columns.map((column) => cellOf(fields[column]));
  if (payloads !== null) for (const name of payloadNames) cells.push(cellOfJson(payloads[name]));
  return `${cells.join(',')}\n`;
}

/** The beginnings of a text that a spreadsheet runs as a formula. */
const formula = /^[=+\-@\t\r]/;

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '""';
  if (typeof value === 'string') return quoted(formula.test(value) ? `'${value}` : value);
  return quoted(typeof value === 'object' ? JSON.stringify(value) : String(value));
}

/** The cell of a JSON text: of a string its text, of anything else the JSON as it is stored. */
function cellOfJson(json: string): string {
  return json.startsWith('"') ? cellOf(JSON.parse(json)) : quoted(json);
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
