import { appendFileSync, mkdirSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { bytesOf, OpenedLogs, textOf, textsOf } from './opened-logs.fixture.ts';
import { Quarantine } from './quarantine.ts';
import { recoverSegments } from './recover-segments.ts';
import { segmentBytes } from './segment-bytes.fixture.ts';
import { recordHeaderBytes, scanSegment, segmentFileName, segmentHeaderBytes } from './segment-format.ts';

const logs = new OpenedLogs();
afterEach(() => logs.dispose());

const texts = ['first', 'the second', 'and the last one'];
const records = texts.map(bytesOf);
const whole = segmentBytes(1, records);
const lastFrom = segmentBytes(1, records.slice(0, 2)).length;

function directoryWith(segments: Record<number, Buffer>): string {
  const directory = logs.directory();
  for (const [id, bytes] of Object.entries(segments)) writeFileSync(join(directory, segmentFileName(Number(id))), bytes);
  return directory;
}

function quarantined(directory: string): string[] {
  return readdirSync(directory).includes('quarantine') ? readdirSync(join(directory, 'quarantine')) : [];
}

test('a tail torn at any byte of the last record is cut, and the records before it are intact', async () => {
  const directory = logs.directory();
  const file = join(directory, segmentFileName(1));
  for (let length = lastFrom; length <= whole.length; length++) {
    writeFileSync(file, whole.subarray(0, length));
    const { closed } = await recoverSegments(directory, new Quarantine(directory, () => undefined));
    const kept = length === whole.length ? 3 : 2;
    expect(closed, `cut to ${length} bytes`).toMatchObject([{ id: 1, records: kept, bytes: kept === 3 ? length : lastFrom }]);
    expect(statSync(file).size).toBe(kept === 3 ? length : lastFrom);
    expect(scanSegment(readFileSync(file), 1).records.map(textOf)).toEqual(texts.slice(0, kept));
  }
  expect(quarantined(directory)).toEqual([]);
});

test('a segment header torn at any byte leaves an empty segment whose id is not reused', async () => {
  for (let length = 0; length <= segmentHeaderBytes; length += 7) {
    const directory = directoryWith({ 5: whole.subarray(0, length) });
    const log = await logs.open(directory);
    await log.append(bytesOf('new'));
    expect(await log.rotate()).toMatchObject([{ id: 6, records: 1 }]);
    expect(readdirSync(directory)).not.toContain(segmentFileName(5));
    expect(log.stats().quarantined).toBe(0);
  }
});

test('after a torn tail, which is named, the log can be opened, read and written', async () => {
  const directory = directoryWith({ 1: whole.subarray(0, whole.length - 3) });
  const torn: Array<[string, number]> = [];
  const log = await logs.open(directory, { onTornTail: (...found) => torn.push(found) });
  expect(torn).toEqual([[join(directory, segmentFileName(1)), whole.length - 3 - lastFrom]]);
  await log.append(bytesOf('new'));
  expect(await textsOf(log)).toEqual([...texts.slice(0, 2), 'new']);
  expect(log.stats()).toMatchObject({ failure: null, quarantined: 0, backlogRecords: 3 });
});

test('damage in the middle is quarantined and reported; the records on both sides are read', async () => {
  const damaged = Buffer.from(whole);
  const from = segmentHeaderBytes + recordHeaderBytes + 5;
  damaged.fill(0xee, from, lastFrom);
  const reported: Array<[string, number]> = [];
  const directory = directoryWith({ 1: damaged });
  const log = await logs.open(directory, { onQuarantine: (file, bytes) => reported.push([file, bytes]) });
  expect(log.stats()).toMatchObject({ quarantined: 1, backlogRecords: 2 });
  expect(await textsOf(log)).toEqual(['first', 'and the last one']);
  expect(await textsOf(log)).toEqual(['first', 'and the last one']);
  const file = join(directory, 'quarantine', `${segmentFileName(1)}.${from}-${lastFrom}`);
  expect(reported).toEqual([[file, lastFrom - from]]);
  expect(readFileSync(file)).toEqual(damaged.subarray(from, lastFrom));
  expect(quarantined(directory)).toHaveLength(1);
});

test('a complete last record with a wrong checksum may have been acknowledged: it is quarantined, not cut', async () => {
  const damaged = Buffer.from(whole);
  damaged.writeUInt8(damaged.readUInt8(whole.length - 1) ^ 1, whole.length - 1);
  const directory = directoryWith({ 1: damaged });
  const log = await logs.open(directory);
  expect(await textsOf(log)).toEqual(texts.slice(0, 2));
  expect(log.stats().quarantined).toBe(1);
  expect(quarantined(directory)).toEqual([`${segmentFileName(1)}.${lastFrom}-${whole.length}`]);
});

test('a torn tail in an older segment is damage: it was complete when the next one was created', async () => {
  const older = whole.subarray(0, whole.length - 3);
  const directory = directoryWith({ 1: older, 2: segmentBytes(2, [bytesOf('newer')]) });
  const log = await logs.open(directory);
  expect(await textsOf(log)).toEqual([...texts.slice(0, 2), 'newer']);
  expect(quarantined(directory)).toEqual([`${segmentFileName(1)}.${lastFrom}-${older.length}`]);
  expect(readFileSync(join(directory, segmentFileName(1)))).toEqual(older);
});

test('a segment without readable records is quarantined whole, and its id is not reused', async () => {
  const directory = directoryWith({ 3: Buffer.alloc(500, 0xab) });
  const log = await logs.open(directory);
  expect(log.closedSegments()).toEqual([]);
  expect(quarantined(directory)).toEqual([`${segmentFileName(3)}.0-500`]);
  expect(readdirSync(directory)).not.toContain(segmentFileName(3));
  await log.append(bytesOf('new'));
  expect(await log.rotate()).toMatchObject([{ id: 4 }]);
});

test('damage that occurs while the log is open is found on read', async () => {
  const log = await logs.open(logs.directory());
  for (const text of texts) await log.append(bytesOf(text));
  const [segment] = await log.rotate();
  if (!segment) throw new Error('no segment was closed');
  const bytes = readFileSync(segment.path);
  bytes.writeUInt8(bytes.readUInt8(segmentHeaderBytes + 1) ^ 8, segmentHeaderBytes + 1);
  writeFileSync(segment.path, bytes);
  expect((await log.read(segment)).map(textOf)).toEqual(texts.slice(1));
  truncateSync(segment.path, segment.bytes - 2);
  expect((await log.read(segment)).map(textOf)).toEqual(texts.slice(1, 2));
  expect(log.stats().quarantined).toBe(2);
});

test('the log does not open when damaged bytes cannot be quarantined', async () => {
  const directory = directoryWith({ 1: Buffer.alloc(500, 0xab) });
  writeFileSync(join(directory, 'quarantine'), 'in the way');
  await expect(logs.open(directory)).rejects.toThrow();
  expect(readdirSync(directory)).toContain(segmentFileName(1));
});

test('a segment of a later version prevents opening and is left unchanged', async () => {
  const later = Buffer.from(segmentBytes(1, records));
  later.writeUInt8(200, 7);
  later.writeUInt32LE(crc32(later.subarray(0, 24)), 24);
  const directory = directoryWith({ 1: later });
  await expect(logs.open(directory)).rejects.toThrow('later version');
  expect(readFileSync(join(directory, segmentFileName(1)))).toEqual(later);
});

test('foreign bytes at the end of an older segment are damage', async () => {
  const directory = directoryWith({ 1: whole, 2: segmentBytes(2, [bytesOf('newer')]) });
  appendFileSync(join(directory, segmentFileName(1)), 'what is this doing here, twenty-four bytes?');
  mkdirSync(join(directory, 'quarantine'));
  const log = await logs.open(directory);
  expect(await textsOf(log)).toEqual([...texts, 'newer']);
  expect(log.stats().quarantined).toBe(1);
});
