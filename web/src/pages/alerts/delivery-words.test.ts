import { expect, test } from 'vitest';
import { attemptText } from './delivery-words.ts';

test('an attempt says the status once', () => {
  const at = '2026-11-01T00:00:00.000Z';
  expect(attemptText('webhook', { at, statusCode: 200, error: null })).toBe('Status 200');
  expect(attemptText('email', { at, statusCode: null, error: null })).toBe('Accepted by the mail server');
  expect(attemptText('webhook', { at, statusCode: 500, error: 'The receiver answered 500.' })).toBe('The receiver answered 500.');
  expect(attemptText('webhook', { at, statusCode: 307, error: 'Redirects are not followed.' })).toBe(
    'Status 307: Redirects are not followed.',
  );
  expect(attemptText('webhook', { at, statusCode: null, error: 'Connection refused.' })).toBe('Connection refused.');
});
