import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RowWriter } from '../row-binary/index.ts';
import { Table, TableRows } from './table.ts';

interface Reading {
  sensor: string;
  atNs: bigint;
  labels: readonly string[];
  samples: readonly number[];
  endNs: bigint | null;
  count: number;
  share: number | null;
  note: string;
  remark: string;
  region: string;
  valid: boolean | null;
}

const blank: Reading = {
  sensor: '',
  atNs: 0n,
  labels: [],
  samples: [],
  endNs: null,
  count: 0,
  share: null,
  note: '',
  remark: '',
  region: 'unknown',
  valid: null,
};

/** A table in the description of a release: `region` was added in layout 2, `valid` in layout 3. */
function readingsOf(layoutVersion: 1 | 2 | 3) {
  return new Table({
    name: 'readings',
    timeColumn: 'at',
    layoutVersion,
    blank,
    tombstone: {
      columns: ['project_id', 'sensor', 'at', 'version', 'is_deleted'],
      row: ({ sensor, atNs }: Pick<Reading, 'sensor' | 'atNs'>) => ({ ...blank, sensor, atNs }),
    },
    columns: (to, stamp, row) => {
      const header = {
        projectId: to.uuid('project_id', stamp.projectId),
        sensor: to.string('sensor', row.sensor),
        region: layoutVersion >= 2 ? to.since(2).string('region', row.region) : '',
        atNs: to.nanoseconds('at', row.atNs),
        version: to.uint64('version', stamp.version),
        deleted: to.boolean('is_deleted', stamp.deleted),
        labels: to.strings('labels', row.labels),
        samples: to.numbers('samples', row.samples),
        endNs: to.nullableNanoseconds('end', row.endNs),
        count: to.uint32('count', row.count),
        share: to.nullableFloat64('share', row.share),
        remark: to.beginning('remark', row.remark, 20),
      };
      to.payload('note', row.note);
      return { ...header, valid: layoutVersion >= 3 ? to.since(3).nullableBoolean('valid', row.valid) : null };
    },
  });
}

const [first, second, current] = [readingsOf(1), readingsOf(2), readingsOf(3)];
const text = fc.string({ unit: 'binary', maxLength: 200 }).filter((value) => value.isWellFormed());
const instant = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
const reading: fc.Arbitrary<Reading> = fc.record({
  sensor: text,
  atNs: instant,
  labels: fc.array(text, { maxLength: 4 }),
  samples: fc.array(fc.double({ noNaN: true }), { maxLength: 4 }),
  endNs: fc.option(instant),
  count: fc.nat(),
  share: fc.option(fc.double({ noNaN: true })),
  note: text,
  remark: text,
  region: text,
  valid: fc.option(fc.boolean()),
});
const stamp = fc.record({
  projectId: fc.uuid(),
  version: fc.nat({ max: Number.MAX_SAFE_INTEGER }),
  deleted: fc.boolean(),
});
const rows = fc.array(fc.tuple(stamp, reading), { maxLength: 5 });

function written(
  table: typeof current,
  values: ReadonlyArray<readonly [Parameters<ReturnType<typeof table.writer>>[0], Reading]>,
) {
  const writer = new RowWriter(16);
  const write = table.writer(writer);
  const headers = values.map(([at, row]) => write(at, row));
  return { headers, bytes: writer.finish() };
}

describe('a row', () => {
  test('is read as the header that its writer returned', () => {
    fc.assert(
      fc.property(rows, (values) => {
        const { headers, bytes } = written(current, values);
        expect(current.readHeaders(bytes)).toEqual(headers);
      }),
    );
  });

  test('that is truncated is refused', () => {
    fc.assert(
      fc.property(stamp, reading, fc.nat(), (at, row, cut) => {
        const { bytes } = written(current, [[at, row]]);
        const older = written(first, [[at, row]]).bytes;
        const beginningOf = (whole: Uint8Array) => whole.subarray(0, 1 + (cut % (whole.length - 1)));
        expect(() => current.readHeaders(beginningOf(bytes))).toThrow(RangeError);
        expect(() => current.upgrade(beginningOf(older), 1)).toThrow(RangeError);
      }),
    );
  });
});

test('filtered rows are the accepted ones, unchanged', () => {
  fc.assert(
    fc.property(rows, (values) => {
      const stays = ({ count }: { count: number }) => count % 2 === 0;
      const filtered = current.filter(written(current, values).bytes, stays);
      const expected = written(
        current,
        values.filter(([, row]) => stays(row)),
      );
      expect(Buffer.from(filtered)).toEqual(Buffer.from(expected.bytes));
    }),
  );
});

describe('rows of an older layout', () => {
  test.each([
    [first, { region: blank.region, valid: null }],
    [second, { valid: null }],
  ])('become what the current layout writes with blank values in the new columns', (older, missing) => {
    fc.assert(
      fc.property(rows, (values) => {
        const upgraded = current.upgrade(written(older, values).bytes, older.layoutVersion);
        const expected = written(
          current,
          values.map(([at, row]) => [at, { ...row, ...missing }] as const),
        );
        expect(Buffer.from(upgraded)).toEqual(Buffer.from(expected.bytes));
      }),
    );
  });

  test('of the current layout are returned unchanged, those of a newer one refused', () => {
    const { bytes } = written(current, [
      [{ projectId: '0197a000-0000-7000-8000-000000000001', version: 1, deleted: false }, blank],
    ]);
    expect(current.upgrade(bytes, 3)).toBe(bytes);
    expect(() => second.upgrade(bytes, 3)).toThrow('layout 3');
  });
});

test('tombstones have the columns of their key, each with its value', () => {
  const projectId = '0197a000-0000-7000-8000-000000000001';
  const collected = new TableRows(current);
  collected.addTombstone({ projectId, version: 9 }, { sensor: 'a', atNs: 5n });
  const expected = new RowWriter();
  expected.uuid(projectId);
  expected.string('a');
  expected.int64(5n);
  expected.uint64(9);
  expected.uint8(1);
  expect(collected.inserts('t').map((insert) => ({ ...insert, bytes: insert.bytes.map((piece) => Buffer.from(piece)) }))).toEqual(
    [
      {
        table: 'readings',
        layout: [
          ['project_id', 'UUID'],
          ['sensor', 'String'],
          ['at', 'DateTime64(9)'],
          ['version', 'UInt64'],
          ['is_deleted', 'UInt8'],
        ],
        bytes: [Buffer.from(expected.finish())],
        token: 't-stale-readings',
      },
    ],
  );
});
