import { expect, test } from 'vitest';
import { apiKeyScopes } from '../../../../src/contract/key-scopes.ts';
import { expiryOf, lifeOptions, scopeOptions } from './key-limits.ts';

test('every scope can be chosen, in their order', () => {
  expect(scopeOptions.map(({ value }) => value)).toEqual(apiKeyScopes);
});

test('an expiry stays only where there is one', () => {
  expect(lifeOptions(false).map(({ value }) => value)).not.toContain('kept');
  expect(lifeOptions(true)[0]?.value).toBe('kept');
});

test('the expiry of a request', () => {
  const now = Date.UTC(2026, 10, 29, 10);
  expect(expiryOf('kept', now)).toEqual({});
  expect(expiryOf('never', now)).toEqual({ expiresAt: null });
  expect(expiryOf('7', now)).toEqual({ expiresAt: '2026-12-06T10:00:00.000Z' });
});
