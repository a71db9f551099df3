import fc from 'fast-check';
import { expect, it } from 'vitest';
import { SealBroken, SecretBox } from './secret-box.ts';

const secret = 'a secret of at least 32 characters, made for this test';
const box = new SecretBox({ secret, purpose: 'model-connection' });

it('opens what it sealed for the same owner only', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.uuid(), (text, owner) => {
      const sealed = box.seal(text, owner);
      expect(box.open(sealed, owner)).toBe(text);
      expect(() => box.open(sealed, `${owner}0`)).toThrow(SealBroken);
    }),
  );
});

it('does not reveal the text, and seals equal texts differently', () => {
  const sealed = box.seal('sk-a-key-of-somebody', 'owner');
  expect(sealed).toMatch(/^v1:[0-9a-f]{8}:[\w-]+$/);
  expect(Buffer.from(sealed.split(':')[2] ?? '', 'base64url').toString('latin1')).not.toContain('sk-a-key');
  expect(box.seal('sk-a-key-of-somebody', 'owner')).not.toBe(sealed);
});

it('detects every changed character', () => {
  const sealed = box.seal('sk-1', 'owner');
  for (let at = 0; at < sealed.length; at++) {
    const other = sealed[at] === 'A' ? 'B' : 'A';
    const changed = sealed.slice(0, at) + other + sealed.slice(at + 1);
    // The last character of base64 has unused bits.
    if (
      Buffer.from(changed.split(':')[2] ?? '', 'base64url').equals(Buffer.from(sealed.split(':')[2] ?? '', 'base64url')) &&
      changed.startsWith(sealed.slice(0, 12))
    )
      continue;
    expect(() => box.open(changed, 'owner'), `character ${at}`).toThrow(SealBroken);
  }
  for (const text of ['', 'v1', 'v1::', 'v2:00000000:AAAA', sealed.slice(0, 20), `${sealed} `]) {
    expect(() => box.open(text, 'owner'), text).toThrow(SealBroken);
  }
});

it('opens nothing with another secret or for another purpose', () => {
  const sealed = box.seal('sk-1', 'owner');
  expect(() => new SecretBox({ secret: `${secret}!`, purpose: 'model-connection' }).open(sealed, 'owner')).toThrow(
    /SPANWISE_SECRET_KEY/,
  );
  expect(() => new SecretBox({ secret, purpose: 'webhook' }).open(sealed, 'owner')).toThrow(SealBroken);
});

it('opens what an earlier secret sealed, and seals with the current one', () => {
  const next = new SecretBox({
    secret: 'the secret after it, of 32 characters or more',
    previous: [secret],
    purpose: 'model-connection',
  });
  expect(next.open(box.seal('sk-1', 'owner'), 'owner')).toBe('sk-1');
  const sealed = next.seal('sk-2', 'owner');
  expect(next.open(sealed, 'owner')).toBe('sk-2');
  expect(() => box.open(sealed, 'owner')).toThrow(SealBroken);
});
