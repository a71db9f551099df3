import { expect, test } from 'vitest';
import { ApiError } from './client.ts';
import { fieldErrors } from './field-errors.ts';

const rejected = new ApiError(400, 'invalid_request', 'No.', [
  { path: '/prompt', message: 'is too long' },
  { path: '/labels/0', message: 'cannot be set' },
]);

test('errors are shown at their field', () => {
  const errors = fieldErrors(rejected);
  expect(errors.at('/prompt')).toBe('This is too long.');
  expect(errors.at('/labels')).toBe('This cannot be set.');
  expect(errors.at('/label')).toBeNull();
  expect(errors.rest(['/prompt', '/labels'])).toBeNull();
});

test.each([
  ['is required', 'Required.'],
  ['must not be empty', 'Required.'],
  [
    'must be an ID such as answer-relevance (letters, digits, . _ -)',
    'Enter an ID, such as answer-relevance (letters, digits, . _ -).',
  ],
  ['is taken', 'Already taken. Choose another.'],
  ['must be one of a, b', 'Must be one of a, b.'],
  ['Line 3 of the template does not end.', 'Line 3 of the template does not end.'],
])('"%s" becomes a sentence', (message, shown) => {
  expect(fieldErrors(new ApiError(400, 'invalid_request', 'No.', [{ path: '/name', message }])).at('/name')).toBe(shown);
});

test('other errors are returned as rest', () => {
  expect(fieldErrors(rejected).rest(['/prompt'])).toBe('No.');
  expect(fieldErrors(new ApiError(503, 'unavailable', 'Try again.', [])).rest(['/prompt'])).toBe('Try again.');
  expect(fieldErrors(null).rest([])).toBeNull();
});

test('a conflict is shown at the name', () => {
  const taken = new ApiError(409, 'conflict', 'The name is taken.', []);
  expect(fieldErrors(taken, '/name').at('/name')).toBe('The name is taken.');
  expect(fieldErrors(taken, '/name').rest(['/name'])).toBeNull();
  expect(fieldErrors(taken).rest(['/name'])).toBe('The name is taken.');
});
