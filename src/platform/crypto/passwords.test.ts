import { expect, it } from 'vitest';
import { hashPassword, verifyPassword } from './passwords.ts';

it('stores a password as an argon2id hash that matches no other', async () => {
  const stored = await hashPassword('correct horse');
  expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await hashPassword('correct horse')).not.toBe(stored);
  expect(await verifyPassword(stored, 'correct horse')).toBe(true);
  expect(await verifyPassword(stored, 'Correct horse')).toBe(false);
});

it('refuses every password of an unknown account, also that of the substitute hash', async () => {
  expect(await verifyPassword(null, 'correct horse')).toBe(false);
  expect(await verifyPassword(null, 'nobody has this password')).toBe(false);
});
