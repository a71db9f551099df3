import { expect, test } from 'vitest';
import { ApiError } from './client.ts';
import { fieldErrors } from './field-errors.ts';

const refused = new ApiError(400, 'invalid_request', 'No.', [
  { path: '/prompt', message: 'is too long' },
  { path: '/labels/0', message: 'cannot be set' },
]);

test('what is said about a field stands at the field', () => {
  const errors = fieldErrors(refused);
  expect(errors.at('/prompt')).toBe('is too long');
  expect(errors.at('/labels')).toBe('cannot be set');
  expect(errors.at('/label')).toBeNull();
  expect(errors.rest(['/prompt', '/labels'])).toBeNull();
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
