import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { partsOf } from './references.ts';

const reference = (name: string, version: number | null = null, label: string | null = null) => ({ name, version, label });

describe('references in a text', () => {
  test.each<[text: string, parts: unknown[]]>([
    ['', []],
    ['no {{variable}} is one', ['no {{variable}} is one']],
    ['a{{> b }}c', ['a', reference('b'), 'c']],
    ['{{>b}}{{>c}}', [reference('b'), reference('c')]],
    ['{{> b@l }}', [reference('b', null, 'l')]],
    ['{{> b # }}', [reference('b #')]],
    ['{{> b #12 }}', [reference('b', 12)]],
    ['{{> folder/b c @ l m }}', [reference('folder/b c', null, 'l m')]],
    ['{{> a@b@c }}', [reference('a@b', null, 'c')]],
    ['{{> a@b#3 }}', [reference('a@b', 3)]],
    ['{{> a#3@b }}', [reference('a#3', null, 'b')]],
    ['{{> a#b }}', [reference('a#b')]],
    ['{{> @b }}', [reference('@b')]],
    ['{{> #3 }}', [reference('#3')]],
    ['{{> a@ }}', [reference('a@')]],
    ['{{>}}', [reference('')]],
    ['{{> a {{b}} }}', [reference('a {{b'), ' }}']],
    ['{{> open', ['{{> open']],
    ['}} {{> a }} {{>', ['}} ', reference('a'), ' {{>']],
    ['{{{> a }}}', ['{', reference('a'), '}']],
  ])('%j', (text, parts) => {
    expect(partsOf(text)).toEqual(parts);
  });

  test('at most the given number is read', () => {
    expect(partsOf('a{{>b}}{{>c}}{{>d}}', 2)).toEqual(['a', reference('b'), reference('c'), '{{>d}}']);
  });

  test('written references are read back from any surrounding text', () => {
    const plain = fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('{') && !text.includes('}') && text !== '');
    const name = fc.stringMatching(/^[a-z0-9/. _-]{1,20}$/).map((text) => `n${text.trim()}`);
    const written = fc.oneof(
      plain.map((text) => [text, text] as const),
      name.map((text) => [`{{> ${text} }}`, reference(text)] as const),
      fc.tuple(name, name).map(([text, label]) => [`{{>${text}@${label}}}`, reference(text, null, label)] as const),
      fc.tuple(name, fc.nat(999_999_999)).map(([text, number]) => [`{{> ${text}#${number} }}`, reference(text, number)] as const),
    );
    fc.assert(
      fc.property(fc.array(written), (all) => {
        const joined: unknown[] = [];
        for (const [, part] of all) {
          if (typeof part === 'string' && typeof joined.at(-1) === 'string') joined.push(`${String(joined.pop())}${part}`);
          else joined.push(part);
        }
        expect(partsOf(all.map(([text]) => text).join(''))).toEqual(joined);
      }),
    );
  });

  test('a hostile text takes linear time', () => {
    const started = performance.now();
    for (const text of ['{{>'.repeat(350_000), '{{>@'.repeat(250_000), `{{>${'@'.repeat(1_000_000)}}}`, '{{>}}'.repeat(200_000)])
      partsOf(text);
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});
