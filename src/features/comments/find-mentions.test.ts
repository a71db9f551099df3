import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addressesIn } from './find-mentions.ts';

test.each([
  ['@ada@example.com', ['ada@example.com']],
  ['Hi @Ada@Example.COM, see this.', ['ada@example.com']],
  ['(@a@x.org) **@b@x.org** _@c@x.org_ @d@x.org. @e@x.org!?', ['a@x.org', 'b@x.org', 'c@x.org', 'd@x.org', 'e@x.org']],
  ['@first.last+tag@sub.example.co.uk', ['first.last+tag@sub.example.co.uk']],
  ['@a@x.org @A@X.ORG', ['a@x.org']],
  ['line\n@a@x.org\nline', ['a@x.org']],
  ['ada@example.com is an address alone', []],
  ['@ada and @ @@ @ada@', []],
])('%s', (text, expected) => expect(addressesIn(text)).toEqual(expected));

test('an address is found wherever it stands between other words', () => {
  const word = fc.stringMatching(/^[a-z0-9.,*()\n-]{0,12}$/);
  const local = fc.stringMatching(/^[a-z0-9][a-z0-9.+]{0,10}[a-z0-9]$/);
  fc.assert(
    fc.property(fc.array(word), local, local, fc.array(word), (before, name, host, after) => {
      const text = [...before, `@${name}@${host}.org`, ...after].join(' ');
      expect(addressesIn(text)).toContain(`${name}@${host}.org`);
    }),
  );
});
