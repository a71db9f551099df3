import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestClickHouse } from '../../../test/support/analytics.ts';
import type { ClickHouse } from './clickhouse.ts';

let clickhouse: ClickHouse;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ clickhouse, close } = await openTestClickHouse());
});
afterAll(() => close());

const hostile = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom("'", '\\', '"', '`', '\0', '\n', '\t', '[', ']', '--', '{text:String}', '$&', ';', 'n', '0'),
  }),
);
const uint64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });

test('the engine reads every parameter as it was given', async () => {
  const given = fc.record({
    text: hostile,
    texts: fc.array(hostile, { maxLength: 5 }),
    id: fc.uuid(),
    ids: fc.array(fc.uuid(), { maxLength: 5 }),
    whole: fc.maxSafeInteger(),
    wholes: fc.array(fc.nat(), { maxLength: 5 }),
    large: uint64,
    larges: fc.array(uint64, { maxLength: 5 }),
    fraction: fc.integer().map((numerator) => numerator / 1024),
  });
  const property = fc.asyncProperty(given, async (parameters) => {
    const [found] = await clickhouse.systemQuery(
      `SELECT {text:String} AS text, {texts:Array(String)} AS texts, {id:UUID} AS id, {ids:Array(UUID)} AS ids, {whole:Int64} AS whole,
         {wholes:Array(UInt32)} AS wholes, toString({large:UInt64}) AS large, arrayMap(n -> toString(n), {larges:Array(UInt64)}) AS larges,
         {fraction:Float64} AS fraction`,
      parameters,
    );
    expect(found).toEqual({ ...parameters, large: String(parameters.large), larges: parameters.larges.map(String) });
  });
  await fc.assert(property, { numRuns: 300 });
});

test('a look-up of ten thousand ids', async ({ skip }) => {
  skip(clickhouse.mode === 'http', 'a server limits the length of a parameter');
  const ids = Array.from({ length: 10_000 }, (_, index) => `${index}`.padStart(32, '0'));
  const [found] = await clickhouse.systemQuery<{ hits: number }>(
    'SELECT count() AS hits FROM numbers(40000) WHERE leftPad(toString(number), 32, {zero:String}) IN {ids:Array(String)}',
    { ids, zero: '0' },
  );
  expect(found).toEqual({ hits: 10_000 });
});

test('a parameter without a value is an error', async () => {
  await expect(clickhouse.systemQuery('SELECT {n:UInt8} AS n, {other:UInt8}', { n: 1 })).rejects.toThrow(/other/);
  await expect(clickhouse.systemQuery('SELECT {toString:UInt8}', {})).rejects.toThrow(/toString/);
});

test('reads run in parallel with each other and with a job', async () => {
  const ended: string[] = [];
  const slow = 'SELECT count() FROM numbers({rows:UInt64}) WHERE sipHash64(number) = 1';
  const reader = clickhouse.forTenant({ projectId: '0197a000-0000-7000-8000-000000000001', oldestMs: null });
  const ends = (name: string, work: Promise<unknown>) => work.then(() => ended.push(name));
  await Promise.all([
    ends('job', clickhouse.systemQuery(slow, { rows: 60_000_000 })),
    ends('slow read', reader.query(slow, { rows: 10_000_000 })),
    ends('read', reader.query('SELECT {n:UInt8}', { n: 1 })),
  ]);
  expect(ended).toEqual(['read', 'slow read', 'job']);
});
