import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { segmentBytes } from './segment-bytes.fixture.ts';
import {
  encodeSegmentHeader,
  putRecord,
  recordHeaderBytes,
  scanSegment,
  sealBatch,
  segmentHeaderBytes,
} from './segment-format.ts';

const records = fc.array(fc.uint8Array({ maxLength: 200 }), { minLength: 1, maxLength: 20 });
const fraction = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const id = fc.integer({ min: 1, max: 2 ** 40 });

const hex = (bytes: readonly Uint8Array[]): string[] => bytes.map((record) => Buffer.from(record).toString('hex'));

/** Where each record ends. */
function ends(written: readonly Uint8Array[]): number[] {
  let end = segmentHeaderBytes;
  return written.map((record) => (end += recordHeaderBytes + record.length));
}

/** Whether `found` is a subsequence of `written`. */
function isSubsequence(found: readonly string[], written: readonly string[]): boolean {
  let next = 0;
  for (const record of written) if (next < found.length && record === found[next]) next += 1;
  return next === found.length;
}

function flip(bytes: Buffer, bit: number): void {
  bytes.writeUInt8(bytes.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
}

test('written records are read', () => {
  fc.assert(
    fc.property(id, records, fc.uint8Array({ minLength: 8, maxLength: 8 }), (segmentId, written, marker) => {
      const scanned = scanSegment(segmentBytes(segmentId, written, marker), segmentId);
      expect(hex(scanned.records)).toEqual(hex(written));
      expect(scanned).toMatchObject({ damage: [], tornAt: null });
    }),
  );
});

describe('one flipped bit', () => {
  test('loses only the record it is in', () => {
    fc.assert(
      fc.property(records, fraction, (written, place) => {
        const bytes = segmentBytes(7, written);
        const bit = Math.floor(place * bytes.length * 8);
        flip(bytes, bit);
        const scanned = scanSegment(bytes, 7);
        const hit = bit >> 3 < segmentHeaderBytes ? -1 : ends(written).findIndex((end) => bit >> 3 < end);
        expect(hex(scanned.records)).toEqual(hex(written.filter((_, index) => index !== hit)));
        // The quarantined ranges contain the flipped byte and no readable record.
        expect(scanned.damage).toHaveLength(1);
        expect(scanned.damage[0]?.from).toBeLessThanOrEqual(bit >> 3);
        expect(scanned.damage[0]?.to).toBeGreaterThan(bit >> 3);
        expect(scanned.tornAt).toBeNull();
      }),
      { numRuns: 2_000 },
    );
  });

  test('in any bit of the two headers in front of a record', () => {
    const written = [Buffer.from('first'), Buffer.from('second'), Buffer.from('third')];
    for (let bit = 0; bit < (segmentHeaderBytes + recordHeaderBytes) * 8; bit++) {
      const bytes = segmentBytes(7, written);
      flip(bytes, bit);
      const first = bit >> 3 < segmentHeaderBytes ? 0 : 1;
      expect(hex(scanSegment(bytes, 7).records)).toEqual(hex(written.slice(first)));
    }
  });
});

test('damage causes no error and no wrong record, and earlier records are read', () => {
  const overwrite = fc.record({ place: fraction, bytes: fc.uint8Array({ minLength: 1, maxLength: 60 }) });
  fc.assert(
    fc.property(records, fc.array(overwrite, { minLength: 1, maxLength: 6 }), fraction, (written, overwrites, length) => {
      const whole = segmentBytes(7, written);
      const bytes = Buffer.from(whole);
      for (const { place, bytes: junk } of overwrites)
        bytes.set(junk.subarray(0, bytes.length - Math.floor(place * bytes.length)), Math.floor(place * bytes.length));
      const cut = bytes.subarray(0, Math.ceil(length * bytes.length));
      const scanned = scanSegment(cut, 7);
      expect(isSubsequence(hex(scanned.records), hex(written))).toBe(true);
      const changed = cut.findIndex((byte, at) => byte !== whole[at]);
      const good = changed < 0 ? cut.length : changed;
      const before = good < segmentHeaderBytes ? 0 : ends(written).filter((end) => end <= good).length;
      expect(hex(scanned.records.slice(0, before))).toEqual(hex(written.slice(0, before)));
    }),
    { numRuns: 1_000 },
  );
});

test('every byte is a record, damage or a torn tail, and never two of them', () => {
  fc.assert(
    fc.property(records, fc.array(fraction, { maxLength: 8 }), fraction, (written, flips, length) => {
      const bytes = segmentBytes(7, written);
      for (const place of flips) flip(bytes, Math.floor(place * bytes.length * 8));
      const cut = bytes.subarray(0, Math.ceil(length * bytes.length));
      const { records: found, damage, tornAt } = scanSegment(cut, 7);
      const end = tornAt ?? cut.length;
      const covered = [
        ...damage,
        ...found.map((record) => {
          const from = record.byteOffset - cut.byteOffset - recordHeaderBytes;
          return { from, to: from + recordHeaderBytes + record.length };
        }),
      ].toSorted((left, right) => left.from - right.from);
      let at = covered[0]?.from ?? end;
      expect([0, segmentHeaderBytes, end]).toContain(at);
      for (const { from, to } of covered) {
        expect(from).toBe(at);
        at = to;
      }
      expect(at).toBe(end);
    }),
    { numRuns: 1_000 },
  );
});

test('random bytes hold no record', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 2_000 }), (bytes) => {
      expect(scanSegment(Buffer.from(bytes), 7).records).toEqual([]);
    }),
  );
});

test('a forged record inside a payload is not found when the real one is damaged', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 8, maxLength: 8 }),
      fc.integer({ min: 0, max: recordHeaderBytes - 1 }),
      (guessed, hit) => {
        const { identity } = encodeSegmentHeader(7, guessed);
        const forged = Buffer.alloc(recordHeaderBytes + 6);
        putRecord(forged, 0, Buffer.from('forged'));
        sealBatch(forged, identity, 1);
        const bytes = segmentBytes(
          7,
          [Buffer.concat([Buffer.from('real'), forged]), Buffer.from('next')],
          Buffer.from('\x00secret\x00', 'latin1'),
        );
        flip(bytes, (segmentHeaderBytes + hit) * 8);
        expect(hex(scanSegment(bytes, 7).records)).toEqual(hex([Buffer.from('next')]));
      },
    ),
  );
});

test('the file of another segment under this name has no readable records', () => {
  fc.assert(
    fc.property(records, (written) => {
      const bytes = segmentBytes(8, written);
      const scanned = scanSegment(bytes, 7);
      expect(scanned).toMatchObject({ records: [], damage: [{ from: 0, to: bytes.length }], tornAt: null });
    }),
  );
});

test('a record copied over another one is not read twice', () => {
  const bytes = segmentBytes(7, [Buffer.from('one'), Buffer.from('two'), Buffer.from('six')]);
  const size = recordHeaderBytes + 3;
  bytes.copy(bytes, segmentHeaderBytes + size, segmentHeaderBytes, segmentHeaderBytes + size);
  expect(hex(scanSegment(bytes, 7).records)).toEqual(hex([Buffer.from('one'), Buffer.from('six')]));
});
