import { expect, test } from 'vitest';
import { neighboursIn } from './trace-neighbours.ts';

test('the neighbours of an entry of a list; null at its ends and outside of it', () => {
  expect(neighboursIn(['a', 'b', 'c'], 'b')).toEqual({ previous: 'a', next: 'c' });
  expect(neighboursIn(['a', 'b'], 'a')).toEqual({ previous: null, next: 'b' });
  expect(neighboursIn(['a', 'b'], 'b')).toEqual({ previous: 'a', next: null });
  expect(neighboursIn(['a'], 'b')).toBeNull();
});
