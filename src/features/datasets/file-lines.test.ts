import { Readable } from 'node:stream';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { smallPieces } from '../../platform/http/small-pieces.fixture.ts';
import { turnsUntil } from '../../platform/jobs/turns-until.fixture.ts';
import { unknownFormat } from './file-format.ts';
import { fileLines } from './file-lines.ts';
import type { FileLine } from './file-lines.ts';
import { ItemTexts } from './item-texts.ts';
import { csvRows } from './import-rows.ts';

async function batchesOf(chunks: readonly Buffer[]): Promise<FileLine[][]> {
  return Array.fromAsync(fileLines(Readable.from(chunks)));
}

/** A buffer cut at these offsets. */
function cutAt(bytes: Buffer, places: readonly number[]): Buffer[] {
  const cuts = [0, ...places.map((place) => place % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length];
  return cuts.slice(1).map((end, index) => bytes.subarray(cuts[index], end));
}

test('lines do not depend on the chunks; empty ones are counted and skipped', async () => {
  const line = fc.constantFrom('', '', 'a', '\r', ' ', 'é😀', '\ufeff');
  await fc.assert(
    fc.asyncProperty(fc.array(line, { minLength: 1 }), fc.array(fc.nat()), async (lines, places) => {
      const chunks = cutAt(Buffer.from(lines.join('\n')), places);
      const [first = '', ...others] = lines;
      const texts = [first.replace('\ufeff', ''), ...others];
      const all = texts.map((text, index) => ({ number: index + 1, text })).filter(({ number }) => lines[number - 1] !== '');
      expect((await batchesOf(chunks)).flat()).toEqual(all);
    }),
  );
});

test('millions of empty lines yield no lines, and each chunk yields to the event loop', async () => {
  const chunk = Buffer.alloc(65_536, '\n');
  const reading = batchesOf([...Array.from({ length: 64 }, () => chunk), Buffer.from('x')]);
  const turns = await turnsUntil(reading);
  expect((await reading).flat()).toEqual([{ number: 64 * 65_536 + 1, text: 'x' }]);
  expect(turns).toBeGreaterThanOrEqual(64);
});

test('keeps few of many small pieces', async () => {
  const batches = await Array.fromAsync(fileLines(smallPieces('a'.repeat(5_000))));
  // One of the pieces, put together, and the rest.
  expect(batches).toHaveLength(2);
  expect(batches.flat()).toEqual([{ number: 1, text: 'a'.repeat(5_000) }]);
});

test('a chunk of many lines is split into batches', async () => {
  const batches = await batchesOf([Buffer.alloc(100_000, '\r\n')]);
  expect(batches.map(({ length }) => length)).toEqual([10_000, 10_000, 10_000, 10_000, 10_000, 0, 0]);
});

test('lines before an invalid one are returned before its error', async () => {
  const lines = fileLines(Readable.from([Buffer.from('a\nb\n\xff\n', 'latin1')]));
  expect((await lines.next()).value).toEqual([
    { number: 1, text: 'a' },
    { number: 2, text: 'b' },
  ]);
  await expect(lines.next()).rejects.toThrow('Line 3: is not UTF-8');
});

const reader = new ItemTexts();
afterAll(() => reader.close());
const recordsOf = (text: string) =>
  Array.fromAsync(
    csvRows(fileLines(Readable.from([Buffer.from(text)])), { read: reader, format: unknownFormat(true), columns: undefined }),
  );

test('empty lines within a cell are part of it and count towards the maximum row length', async () => {
  expect((await recordsOf('input\n\n"a\n\n\r\nb"\n\n')).map(({ line, contents }) => [line, contents.input])).toEqual([
    [3, JSON.stringify('a\n\n\r\nb')],
  ]);
  const feeds = '\n'.repeat(8 * 1_048_576);
  await expect(recordsOf(`input\n"${feeds}"`)).rejects.toThrow('Line 2: is too long, or has a quote that is not closed');
});
