import { expect, test } from 'vitest';
import { ApiError } from './client.ts';
import { fieldErrors } from './field-errors.ts';

const refused = new ApiError(400, 'invalid_request', 'No.', [
  { path: '/prompt', message: 'is too long' },
  { path: '/labels/0', message: 'cannot be set' },
]);

test('what is said about a field stands at the field', () => {
  const errors = fieldErrors(refused);
  expect(errors.at('/prompt')).toBe('This is too long.');
  expect(errors.at('/labels')).toBe('This cannot be set.');
  expect(errors.at('/label')).toBeNull();
  expect(errors.rest(['/prompt', '/labels'])).toBeNull();
});

test.each([
  ['is required', 'Fill this in.'],
  ['must not be empty', 'Fill this in.'],
  ['is taken', 'This is taken: choose another.'],
  ['must be one of a, b', 'This must be one of a, b.'],
  ['Line 3 of the template does not end.', 'Line 3 of the template does not end.'],
])('"%s" is a sentence beside its field', (message, shown) => {
  expect(fieldErrors(new ApiError(400, 'invalid_request', 'No.', [{ path: '/name', message }])).at('/name')).toBe(shown);
});

test('what no field of the form says is said as a whole', () => {
  expect(fieldErrors(refused).rest(['/prompt'])).toBe('No.');
  expect(fieldErrors(new ApiError(503, 'unavailable', 'Try again.', [])).rest(['/prompt'])).toBe('Try again.');
  expect(fieldErrors(null).rest([])).toBeNull();
});

test('a name that is taken stands at the name', () => {
  const taken = new ApiError(409, 'conflict', 'The name is taken.', []);
  expect(fieldErrors(taken, '/name').at('/name')).toBe('The name is taken.');
  expect(fieldErrors(taken, '/name').rest(['/name'])).toBeNull();
  expect(fieldErrors(taken).rest(['/name'])).toBe('The name is taken.');
});
