/** The record of a number: unique bytes of varying length, some longer than a page. */
export function crashRecord(number: number): Buffer {
  return Buffer.from(`${number} `.repeat(1 + ((number * 37) % 700)));
}

/** The number of a record. Errors: when any byte differs from `crashRecord`. */
export function numberOf(record: Uint8Array): number {
  const bytes = Buffer.from(record);
  const number = Number.parseInt(bytes.toString('latin1', 0, 12), 10);
  if (!crashRecord(number).equals(bytes)) throw new Error(`a record of ${bytes.length} bytes is not what was appended`);
  return number;
}
