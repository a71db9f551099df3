import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RowWriter } from '../../../platform/row-binary/index.ts';
import { noOwnPrices, ownPricesOf } from '../../pricing/index.ts';
import type { ScoreRecord, SpanRecord } from '../../records/index.ts';
import { emptyScore, emptySpan } from '../../records/records.fixture.ts';
import type { OtlpRequest } from '../pipeline-port.ts';
import { guardrailActivity } from '../tables/guardrail-activity.ts';
import { outcomes } from '../tables/outcomes.ts';
import { scores } from '../tables/scores.ts';
import { spans } from '../tables/spans.ts';
import { decodeLogRecord, decodeLogRecordHead, encodeLogRecord, encodeOtlpRecord, firstVersionOf } from './log-record.ts';
import { readRows } from './record-rows.ts';

const tenant = { projectId: '0197a000-0000-7000-8000-000000000001', organizationId: '0197a000-0000-7000-8000-00000000000a' };

const headOf = (eventCount: number) =>
  fc.record({
    quotaCount: fc.nat(),
    month: fc.constantFrom('2026-11-01', '2027-01-01'),
    receivedMs: fc.nat({ max: 4_000_000_000_000 }),
    bodyDigest: fc.constantFrom('', 'ZGlnZXN0'),
    spanCount: fc.nat(),
    eventCount: fc.constant(eventCount),
  });
const batch = fc.record({
  spans: fc.array(
    fc
      .record({ spanId: fc.uuid(), name: fc.string(), input: fc.string({ maxLength: 1000 }) })
      .map((fields) => ({ ...emptySpan, ...fields })),
    { maxLength: 4 },
  ),
  scores: fc.array(
    fc
      .record({ scoreId: fc.uuid(), comment: fc.string(), withdrawn: fc.boolean() })
      .map(({ withdrawn, ...fields }) => ({ ...emptyScore, ...fields, ...(withdrawn ? { withdrawn } : {}) })),
    { maxLength: 3 },
  ),
});
const versions = fc.integer({ min: 1, max: 2 ** 50 });
const accepted = batch.chain((events) =>
  fc.record({ batch: fc.constant(events), head: headOf(events.spans.length + events.scores.length), first: versions }),
);
const rate = fc.double({ min: 0, max: 1_000_000, noNaN: true });
const ownPrice = fc.record({
  model: fc.string(),
  inputPerMillion: rate,
  outputPerMillion: rate,
  cachedInputPerMillion: fc.option(rate),
  cacheWritePerMillion: fc.option(rate),
  fromMs: fc.option(fc.nat()),
});
const request: fc.Arbitrary<OtlpRequest> = fc.record({
  body: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
  contentEncoding: fc.constantFrom('', 'gzip'),
  encoding: fc.constantFrom('protobuf', 'json'),
  inflatedBytes: fc.nat(),
  nowMs: fc.nat({ max: 4_000_000_000_000 }),
  oldestMs: fc.integer({ min: -1000, max: 4_000_000_000 }),
  spanCount: fc.nat(),
  maxScores: fc.nat(),
  passThresholds: fc
    .array(
      fc.tuple(
        fc.string(),
        fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
      ),
    )
    .map((pairs) => new Map(pairs)),
  ownPrices: fc.uniqueArray(ownPrice, { selector: ({ model }) => model }).map(ownPricesOf),
});

/** The head of a record as releases without layout versions wrote it; formats 1 and 2 have no digest. */
function oldHead(
  format: number,
  head: { quotaCount: number; month: string; receivedMs: number; bodyDigest: string; spanCount: number; eventCount: number },
  maxVersion: number,
): RowWriter {
  const writer = new RowWriter();
  writer.uint8(format);
  writer.uuid(tenant.projectId);
  writer.uuid(tenant.organizationId);
  writer.uint32(head.quotaCount);
  writer.string(head.month);
  writer.uint32(head.eventCount);
  writer.uint32(head.spanCount);
  writer.uint64(head.receivedMs);
  writer.uint64(maxVersion);
  if (format >= 3) writer.string(head.bodyDigest);
  return writer;
}

/** A span's row without the columns that layouts 2 to 7 added at its end: empty strings, one byte each. */
function spanInLayout1(span: SpanRecord, version: number): Uint8Array {
  const head = { quotaCount: 1, month: '2026-11-01', receivedMs: 0, bodyDigest: '', spanCount: 1, eventCount: 1 };
  const record = decodeLogRecord(encodeLogRecord(tenant, { spans: [span], scores: [] }, head, version));
  if (!('rows' in record)) throw new Error('a record of rows');
  const row = record.rows.find(({ table }) => table === 'spans')?.bytes ?? new Uint8Array();
  expect([...row.subarray(-6)]).toEqual([0, 0, 0, 0, 0, 0]);
  return row.subarray(0, -6);
}

/** A score's row without the columns that layout 2 added at its end: two floating-point numbers and a byte. */
function scoreInLayout1(score: ScoreRecord, version: number): Uint8Array {
  const rows = new RowWriter();
  scores.writer(rows)({ projectId: tenant.projectId, version, deleted: score.withdrawn ?? false }, score);
  return rows.finish().subarray(0, -17);
}

describe('rows', () => {
  test('are read from a record as they were written, with their versions in the order of the body', () => {
    fc.assert(
      fc.property(accepted, ({ batch: events, head, first }) => {
        const record = decodeLogRecord(encodeLogRecord(tenant, events, head, first));
        expect(record).toMatchObject({ ...tenant, ...head });
        expect(firstVersionOf(record)).toBe(first);
        if (!('rows' in record)) throw new Error('a record of rows');
        const read = readRows(record.rows);
        expect(read.spans.map(({ spanId, version }) => [spanId, version])).toEqual(
          events.spans.map(({ spanId }, index) => [spanId, first + index]),
        );
        expect(read.scores.map(({ scoreId, version, withdrawn }) => [scoreId, version, withdrawn])).toEqual(
          events.scores.map(({ scoreId, withdrawn = false }, index) => [scoreId, first + events.spans.length + index, withdrawn]),
        );
      }),
    );
  });

  test('of guardrail activity follow in the versions and count as no events', () => {
    const moment = { activityId: 'a', atMs: 5, checks: 2, guardrails: [] };
    const record = { ...guardrailActivity.blank, ...moment };
    fc.assert(
      fc.property(accepted, fc.integer({ min: 1, max: 3 }), ({ batch: events, head, first }, moments) => {
        const activity = Array.from({ length: moments }, () => record);
        const read = decodeLogRecord(encodeLogRecord(tenant, { ...events, guardrailActivity: activity }, head, first));
        if (!('rows' in read)) throw new Error('a record of rows');
        expect(read.eventCount).toBe(head.eventCount);
        expect(read.maxVersion).toBe(first + head.eventCount + moments - 1);
        const rows = new RowWriter();
        const write = guardrailActivity.writer(rows);
        for (let index = 0; index < moments; index += 1)
          write({ projectId: tenant.projectId, version: first + head.eventCount + index, deleted: false }, record);
        const written = read.rows.find(({ table }) => table === 'guardrail_activity')?.bytes ?? new Uint8Array();
        expect(Buffer.from(written)).toEqual(Buffer.from(rows.finish()));
        expect(readRows(read.rows).spans).toHaveLength(events.spans.length);
      }),
    );
  });

  test('of outcomes follow too, and are read back', () => {
    const record = { ...outcomes.blank, outcomeId: 'o', kind: 'order', value: 2.5, metadata: '{}' };
    fc.assert(
      fc.property(
        accepted,
        fc.integer({ min: 1, max: 3 }),
        fc.boolean(),
        ({ batch: events, head, first }, count, withActivity) => {
          const reported = Array.from({ length: count }, () => record);
          const activity = withActivity ? [guardrailActivity.blank] : [];
          const sent = { ...events, guardrailActivity: activity, outcomes: reported };
          const read = decodeLogRecord(encodeLogRecord(tenant, sent, head, first));
          if (!('rows' in read)) throw new Error('a record of rows');
          expect(read.eventCount).toBe(head.eventCount);
          const before = first + head.eventCount + activity.length;
          expect(read.maxVersion).toBe(before + count - 1);
          const bytes = read.rows.find(({ table }) => table === 'outcomes')?.bytes ?? new Uint8Array();
          expect(outcomes.readHeaders(bytes)).toEqual(
            reported.map((_, index) => ({ outcomeId: 'o', version: before + index, occurredMs: 0 })),
          );
        },
      ),
    );
  });

  test.each([1, 3])('of format %i, which the first releases wrote, are the same', (format) => {
    fc.assert(
      fc.property(accepted, ({ batch: events, head, first }) => {
        const current = decodeLogRecord(encodeLogRecord(tenant, events, head, first));
        if (!('rows' in current)) throw new Error('a record of rows');
        const oldSpans = Buffer.concat(events.spans.map((span, index) => spanInLayout1(span, first + index)));
        const oldScores = Buffer.concat(
          events.scores.map((score, index) => scoreInLayout1(score, first + events.spans.length + index)),
        );
        const old = oldHead(format, head, current.maxVersion);
        old.uint32(oldSpans.length);
        old.uint32(oldScores.length);
        old.raw(oldSpans);
        old.raw(oldScores);
        const record = decodeLogRecord(old.finish());
        if (!('rows' in record)) throw new Error('a record of rows');
        expect({ ...record, rows: readRows(record.rows) }).toEqual({
          ...current,
          bodyDigest: format === 1 ? '' : head.bodyDigest,
          rows: readRows(current.rows),
        });
      }),
    );
  });
});

describe('an OTLP request', () => {
  test('is read back as it was written', () => {
    fc.assert(
      fc.property(headOf(7), request, versions, (head, otlp, first) => {
        const record = decodeLogRecord(encodeOtlpRecord(tenant, otlp, head, first));
        expect(record).toEqual({ ...tenant, ...head, maxVersion: first + 6, otlp });
      }),
    );
  });

  test.each([2, 4])('of format %i, which earlier releases wrote, is the same without prices', (format) => {
    fc.assert(
      fc.property(headOf(7), request, versions, (head, otlp, first) => {
        const withoutPrices = { ...otlp, ownPrices: noOwnPrices };
        const current = encodeOtlpRecord(tenant, withoutPrices, head, first);
        const body = current.subarray(oldHead(4, head, first + 6).length);
        // The empty text of the prices is one byte, before the length of the body as sent.
        const at = body.length - otlp.body.length - 5;
        const old = Buffer.concat([oldHead(format, head, first + 6).finish(), body.subarray(0, at), body.subarray(at + 1)]);
        const bodyDigest = format === 2 ? '' : head.bodyDigest;
        expect(decodeLogRecord(old)).toEqual({ ...decodeLogRecord(current), bodyDigest });
      }),
    );
  });
});

test('a truncated record gives a RangeError', () => {
  fc.assert(
    fc.property(accepted, fc.nat(), ({ batch: events, head, first }, cut) => {
      const bytes = encodeLogRecord(tenant, { ...events, spans: [emptySpan, ...events.spans] }, head, first);
      expect(() => decodeLogRecord(bytes.subarray(0, 1 + (cut % (bytes.length - 1))))).toThrow(RangeError);
    }),
  );
});

describe('a record of a newer release is refused, its head too, so that a start does not lose it', () => {
  const head = { quotaCount: 1, month: '2026-11-01', receivedMs: 1, bodyDigest: '', spanCount: 1, eventCount: 1 };
  const contents = (table: string, layoutVersion: number) => {
    const writer = oldHead(5, head, 1);
    writer.uint8(1);
    writer.string(table);
    writer.uint32(layoutVersion);
    writer.uint32(0);
    return writer.finish();
  };

  test.each([
    ['a format', oldHead(7, head, 1).finish(), 'format 7'],
    ['a layout', contents('spans', spans.layoutVersion + 1), `spans in layout ${spans.layoutVersion + 1}`],
    ['a table', contents('later', 1), 'later in layout 1'],
  ])('%s', (_, bytes, message) => {
    for (const decode of [decodeLogRecordHead, decodeLogRecord]) {
      expect(() => decode(bytes)).toThrow(message);
      expect(() => decode(bytes)).not.toThrow(RangeError);
    }
  });

  test('a record of this release is accepted', () => {
    expect(decodeLogRecordHead(contents('scores', scores.layoutVersion))).toMatchObject(head);
  });
});
