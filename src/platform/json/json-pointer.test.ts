import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonPointer, pointerSteps } from './json-pointer.ts';

test('a pointer escapes tildes and slashes', () => {
  expect(jsonPointer(['a/b', 0, 'm~n', '~1', ''])).toBe('/a~1b/0/m~0n/~01/');
  expect(jsonPointer([])).toBe('');
});

test('the steps of a pointer are what it was made of', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: fc.constantFrom('~', '/', '0', '1', 'a') })), (steps) => {
      expect(pointerSteps(jsonPointer(steps))).toEqual(steps);
    }),
    { endOnFailure: true },
  );
});
