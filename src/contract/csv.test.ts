import { expect, test } from 'vitest';
import { csvCellOfJson, csvLine, recordColumns } from './csv.ts';
import { listedSpan } from './spans.ts';
import { listedTrace } from './traces.ts';

test('the columns are the fields of the lists', () => {
  expect(recordColumns).toEqual({ spans: Object.keys(listedSpan.shape), traces: Object.keys(listedTrace.shape) });
});

test.each<[unknown, string]>([
  [null, '""'],
  ['', '""'],
  ['a,b\n"c"', '"a,b\n""c"""'],
  ['=1+1', `"'=1+1"`],
  ['+1', `"'+1"`],
  ['-x', `"'-x"`],
  ['@x', `"'@x"`],
  ['\tx', `"'\tx"`],
  ['\rx', `"'\rx"`],
  ['x=1', '"x=1"'],
  [-1.5, '"-1.5"'],
  [0, '"0"'],
  [true, '"true"'],
  [['=a'], '"[""=a""]"'],
  [{ a: 1 }, '"{""a"":1}"'],
])('%j as a cell', (value, cell) => {
  expect(csvLine([value, 1])).toBe(`${cell},"1"\n`);
});

test('a JSON text keeps its numbers, and a string in it is text', () => {
  expect(csvCellOfJson('12345678901234567890')).toBe('"12345678901234567890"');
  expect(csvCellOfJson('-1')).toBe('"-1"');
  expect(csvCellOfJson('"-1"')).toBe(`"'-1"`);
  expect(csvCellOfJson('{"a":"b"}')).toBe('"{""a"":""b""}"');
  expect(csvCellOfJson('')).toBe('""');
});
