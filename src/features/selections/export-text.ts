import { csvCell, csvCellOfJson, csvLine } from '../../contract/csv.ts';

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
export function csvHead(columns: readonly string[], withPayloads: boolean): string {
  return csvLine([...columns, ...(withPayloads ? payloadNames : [])]);
}

/** The line of a record in CSV. */
export function csvRecord(columns: readonly string[], { fields, payloads }: ExportedRecord): string {
  const cells = columns.map((column) => csvCell(fields[column]));
  if (payloads !== null) cells.push(...payloadNames.map((name) => csvCellOfJson(payloads[name])));
  return `${cells.join(',')}\n`;
}
