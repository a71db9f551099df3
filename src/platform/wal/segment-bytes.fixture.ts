import { encodeSegmentHeader, putRecord, recordHeaderBytes, sealBatch } from './segment-format.ts';

/** The bytes of a segment as the log writes it, in batches of three records. */
export function segmentBytes(
  id: number,
  records: readonly Uint8Array[],
  marker: Uint8Array = Buffer.from('\x01marker\xff', 'latin1'),
): Buffer {
  const { header, identity } = encodeSegmentHeader(id, marker);
  const parts = [header];
  let sequence = 0;
  for (let first = 0; first < records.length; first += 3) {
    const batch = records.slice(first, first + 3);
    const bytes = Buffer.alloc(batch.reduce((sum, record) => sum + recordHeaderBytes + record.length, 0));
    batch.reduce((at, record) => putRecord(bytes, at, record), 0);
    sequence = sealBatch(bytes, identity, sequence);
    parts.push(bytes);
  }
  return Buffer.concat(parts);
}
