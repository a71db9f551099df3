import { crc32 } from 'node:zlib';

/**
 * The format of a segment, the file `<id, 16 digits>.wal`. All numbers are little-endian.
 *
 *     segment header, 28 bytes                     record header, 24 bytes, followed by the payload
 *      0  7 bytes  "SPWNWAL"                        0  8 bytes  the segment's marker
 *      7  u8       version, 2                       8  u32      sequence: 0, 1, 2 ... within the segment
 *      8  u64      id of the segment               12  u32      length of the payload
 *     16  8 bytes  marker, random per segment      16  u32      CRC-32 of the payload
 *     24  u32      CRC-32 of bytes 0 to 24         20  u32      CRC-32 of segment header 0 to 24, then of bytes 0 to 20
 *
 * A record's header has its own checksum, so that its length can be trusted before the payload is read. The checksum covers the segment and the
 * sequence number: a record from another position, or from an older file in the same disk blocks, does not match.
 *
 * How a reader handles unreadable bytes:
 *
 * - Payload checksum wrong: the header still gives the start of the next record; only this record is lost.
 * - Record header wrong: reading continues at the next valid header (marker, checksum, higher sequence). A client can put a forged record into a
 *   payload, but does not know the 8 random bytes of the marker.
 * - Segment header wrong: the marker is read from the first record, whose position is fixed.
 * - Torn tail: the file ends within a record header, or within the payload of a valid header, as after an interrupted write. It was never
 *   acknowledged, because a write is acknowledged after fdatasync, so the newest segment is truncated there. In an older segment the same bytes are
 *   damage, because the next segment is created only when the previous one is on disk.
 * - Complete last record with a wrong checksum: damage, in the newest segment as well. It may be an unacknowledged write that reached the disk out of
 *   order, or an acknowledged record on a bad sector. They cannot be distinguished, so its bytes are quarantined and reported.
 */
export const segmentHeaderBytes = 28;
export const recordHeaderBytes = 24;
/** Maximum bytes of a payload: the largest body that `SPANWISE_MAX_REQUEST_MIB` lets in, inflated, and what is stored beside it. */
export const maxRecordBytes = 320 * 1024 * 1024;

const magic = Buffer.from('SPWNWAL');
const version = 2;
const markerBytes = 8;
const summedHeaderBytes = 24;
const summedRecordHeaderBytes = 20;
const filePattern = /^(\d{16})\.wal$/;

export function segmentFileName(id: number): string {
  return `${String(id).padStart(16, '0')}.wal`;
}

/** The id in a segment's file name; null for another file. */
export function segmentIdOf(fileName: string): number | null {
  const digits = filePattern.exec(fileName)?.[1];
  return digits === undefined ? null : Number(digits);
}

/** What makes a record belong to its segment. */
export interface SegmentIdentity {
  marker: Uint8Array;
  /** CRC-32 of the segment header's fields; the initial value of the record headers' checksums. */
  sum: number;
}

/** A segment's header. `marker`: 8 random bytes. */
export function encodeSegmentHeader(id: number, marker: Uint8Array): { header: Buffer; identity: SegmentIdentity } {
  const header = Buffer.alloc(segmentHeaderBytes);
  magic.copy(header);
  header.writeUInt8(version, magic.length);
  header.writeBigUInt64LE(BigInt(id), 8);
  header.set(marker, 16);
  const sum = crc32(header.subarray(0, summedHeaderBytes));
  header.writeUInt32LE(sum, summedHeaderBytes);
  return { header, identity: { marker: Uint8Array.from(marker), sum } };
}

/** Writes a record into a batch at `at`, with only its length in the header; {@link sealBatch} completes it. Returns its end. */
export function putRecord(batch: Buffer, at: number, payload: Uint8Array): number {
  batch.writeUInt32LE(payload.length, at + 12);
  batch.set(payload, at + recordHeaderBytes);
  return at + recordHeaderBytes + payload.length;
}

/** Completes the headers of a batch's records, numbering them from `firstSequence`. Returns the next sequence number. */
export function sealBatch(batch: Buffer, identity: SegmentIdentity, firstSequence: number): number {
  let sequence = firstSequence;
  for (let at = 0; at < batch.length; sequence += 1) {
    const end = at + recordHeaderBytes + batch.readUInt32LE(at + 12);
    batch.set(identity.marker, at);
    batch.writeUInt32LE(sequence, at + 8);
    batch.writeUInt32LE(crc32(batch.subarray(at + recordHeaderBytes, end)), at + 16);
    batch.writeUInt32LE(crc32(batch.subarray(at, at + summedRecordHeaderBytes), identity.sum), at + 20);
    at = end;
  }
  return sequence;
}

/** A range `[from, to)` of a segment's bytes. */
export interface ByteRange {
  from: number;
  to: number;
}

export interface ScannedSegment {
  /** The readable records in order, as views of the segment's bytes. */
  records: Uint8Array[];
  /** Unreadable ranges, in order. */
  damage: ByteRange[];
  /** Start of a torn tail; null when the segment ends with a complete record. Only the newest segment may be truncated there. */
  tornAt: number | null;
}

/**
 * Finds the records in a segment's bytes. Accepts any bytes; allocates one view per record.
 *
 * Errors: when a later version of the service has written the segment.
 */
export function scanSegment(bytes: Buffer, id: number): ScannedSegment {
  const scanned: ScannedSegment = { records: [], damage: [], tornAt: null };
  const identity = identityFromHeader(bytes, id) ?? identityFromFirstRecord(bytes, id);
  if (!identity && bytes.length <= segmentHeaderBytes) {
    scanned.tornAt = 0;
    return scanned;
  }
  if (!identity) {
    scanned.damage.push({ from: 0, to: bytes.length });
    return scanned;
  }
  if (!identityFromHeader(bytes, id)) scanned.damage.push({ from: 0, to: segmentHeaderBytes });
  let sequence = 0;
  for (let at = segmentHeaderBytes; at < bytes.length;) {
    const header = readRecordHeader(bytes, at, identity, sequence);
    const end = at + recordHeaderBytes + (header?.length ?? 0);
    if (end > bytes.length) {
      scanned.tornAt = at;
      return scanned;
    }
    if (header) {
      const payload = bytes.subarray(at + recordHeaderBytes, end);
      if (crc32(payload) === header.payloadSum) scanned.records.push(payload);
      else scanned.damage.push({ from: at, to: end });
      sequence = header.sequence + 1;
      at = end;
    } else {
      const next = findRecord(bytes, at + 1, identity, sequence) ?? bytes.length;
      scanned.damage.push({ from: at, to: next });
      at = next;
    }
  }
  return scanned;
}

function identityFromHeader(bytes: Buffer, id: number): SegmentIdentity | null {
  if (bytes.length < segmentHeaderBytes) return null;
  const sum = crc32(bytes.subarray(0, summedHeaderBytes));
  if (bytes.readUInt32LE(summedHeaderBytes) !== sum || !bytes.subarray(0, magic.length).equals(magic)) return null;
  if (bytes.readUInt8(magic.length) > version) {
    throw new Error(`${segmentFileName(id)} was written by a later version of the service; start that version on this directory`);
  }
  const { header, identity } = encodeSegmentHeader(id, bytes.subarray(16, 16 + markerBytes));
  return header.equals(bytes.subarray(0, segmentHeaderBytes)) ? identity : null;
}

function identityFromFirstRecord(bytes: Buffer, id: number): SegmentIdentity | null {
  if (bytes.length < segmentHeaderBytes + recordHeaderBytes) return null;
  const marker = bytes.subarray(segmentHeaderBytes, segmentHeaderBytes + markerBytes);
  const { identity } = encodeSegmentHeader(id, marker);
  return readRecordHeader(bytes, segmentHeaderBytes, identity, 0)?.sequence === 0 ? identity : null;
}

/** The header at `at`, when it is complete and valid and its sequence number is at least the given one. */
function readRecordHeader(
  bytes: Buffer,
  at: number,
  identity: SegmentIdentity,
  leastSequence: number,
): { sequence: number; length: number; payloadSum: number } | null {
  if (at + recordHeaderBytes > bytes.length) return null;
  const sum = crc32(bytes.subarray(at, at + summedRecordHeaderBytes), identity.sum);
  if (bytes.readUInt32LE(at + 20) !== sum || bytes.compare(identity.marker, 0, markerBytes, at, at + markerBytes) !== 0)
    return null;
  const sequence = bytes.readUInt32LE(at + 8);
  if (sequence < leastSequence) return null;
  return { sequence, length: bytes.readUInt32LE(at + 12), payloadSum: bytes.readUInt32LE(at + 16) };
}

function findRecord(bytes: Buffer, from: number, identity: SegmentIdentity, leastSequence: number): number | null {
  for (let at = bytes.indexOf(identity.marker, from); at >= 0; at = bytes.indexOf(identity.marker, at + 1)) {
    if (readRecordHeader(bytes, at, identity, leastSequence)) return at;
  }
  return null;
}
