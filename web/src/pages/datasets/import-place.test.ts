import { expect, test } from 'vitest';
import { placeOf } from './import-place.ts';

test.each([
  ['/3', { line: 3, column: null }],
  ['/3/input', { line: 3, column: 'input' }],
  ['/12/17', { line: 12, column: '17' }],
  ['/1/a/b', { line: 1, column: 'a/b' }],
  ['/name', null],
])('%s names a place', (path, place) => {
  expect(placeOf({ details: [{ path, message: '' }] })).toEqual(place);
});

test('an error without details has no position', () => {
  expect(placeOf({ details: [] })).toBeNull();
});
