import { expect, test } from 'vitest';
import { changeFields, emptyForm } from './change-form.ts';

test('empty fields are not sent, and texts are trimmed', () => {
  expect(changeFields({ ...emptyForm, kind: 'config', service: ' checkout ', version: ' ' }, 'a@example.com')).toEqual({
    kind: 'config',
    actor: 'a@example.com',
    service: 'checkout',
  });
});

test('the time is sent in UTC', () => {
  const at = '2026-11-20T10:30';
  expect(changeFields({ ...emptyForm, at }, 'a').at).toBe(new Date(at).toISOString());
});
