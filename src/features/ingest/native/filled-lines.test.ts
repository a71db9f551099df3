import fc from 'fast-check';
import { expect, test } from 'vitest';
import { filledLines } from './filled-lines.ts';

const lines = (text: string, most = 100) => {
  const body = Buffer.from(text);
  return filledLines(body, most).map(({ number, from, to }) => [number, body.toString('utf8', from, to)]);
};

test.each([
  ['', []],
  ['\n\r\n \t\n', []],
  ['a', [[1, 'a']]],
  ['a\n', [[1, 'a']]],
  [
    'a\nb',
    [
      [1, 'a'],
      [2, 'b'],
    ],
  ],
  [
    '\n\na\r\n\n  b c \nd',
    [
      [3, 'a\r'],
      [5, 'b c '],
      [6, 'd'],
    ],
  ],
  [
    '\ufeffa\nb',
    [
      [1, 'a'],
      [2, 'b'],
    ],
  ],
  ['\ufeff\n', []],
])('%j', (text, expected) => {
  expect(lines(text)).toEqual(expected);
});

test('stops at the maximum', () => {
  expect(lines('a\nb\nc', 2)).toEqual([
    [1, 'a'],
    [2, 'b'],
  ]);
});

test('finds the same lines as splitting and trimming', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('\n', '\r\n', ' ', '\t', 'x', 'yz', '{"a":1}', 'é')), (pieces) => {
      const text = pieces.join('');
      const expected = text.split('\n').flatMap((line, index) => (line.trim() === '' ? [] : [[index + 1, line.trim()]]));
      expect(lines(text, 1000).map(([number, line]) => [number, String(line).trim()])).toEqual(expected);
    }),
  );
});

test('16 million blank lines are skipped quickly', () => {
  const body = Buffer.alloc(16 * 1_048_576, '\n');
  body.write('x', body.length - 1);
  expect(filledLines(body, 100)).toEqual([{ number: body.length, from: body.length - 1, to: body.length }]);
});
