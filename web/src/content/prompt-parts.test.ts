import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { partsOf } from '../../../src/features/prompts/references.ts';
import { promptParts, referencesOf, variablesOf } from './prompt-parts.ts';

const shown = (text: string) =>
  promptParts(text).map((part) => {
    if (part.kind === 'text') return part.text;
    if (part.kind === 'variable') return [part.name];
    return { name: part.name, version: part.version, label: part.label };
  });

test.each([
  ['plain', ['plain']],
  ['', []],
  ['Hi {{name}}!', ['Hi ', ['name'], '!']],
  ['{{ user.first-name }}{{Größe}}', [['user.first-name'], ['Größe']]],
  ['{{{raw}}} ${{ secrets.X }} {{#if x}}{{else}}{{/if}}', ['{{{raw}}} ${{ secrets.X }} {{#if x}}{{else}}{{/if}}']],
  ['\\{{name}} \\{{> b }} {{> c }}', ['\\{{name}} \\{{> b }} ', { name: 'c', version: null, label: null }]],
  ['{{}} {{ }} {{a{b}} {{a\nb}}', ['{{}} {{ }} {{a{b}} {{a\nb}}']],
  [
    '{{> a/b }}{{>c@prod}}{{> d#3 }}',
    [
      { name: 'a/b', version: null, label: null },
      { name: 'c', version: null, label: 'prod' },
      { name: 'd', version: 3, label: null },
    ],
  ],
  ['{{> open', ['{{> open']],
  ['{{{> x }}', ['{', { name: 'x', version: null, label: null }]],
  ['{{> x {{y}} z', [{ name: 'x {{y', version: null, label: null }, ' z']],
])('%j', (text, parts) => expect(shown(text)).toEqual(parts));

describe('any text', () => {
  const texts = fc
    .array(fc.constantFrom('{{', '{{>', '}}', '{', '}', '>', ' ', 'a', 'b c', '#3', '@x', '\n', '@', '#', '\\', '$'), {
      maxLength: 30,
    })
    .map((pieces) => pieces.join(''));

  test('the parts add up to the text', () =>
    fc.assert(
      fc.property(texts, (text) => {
        const joined = promptParts(text).map((part) => part.text);
        expect(joined.join('')).toBe(text);
      }),
    ));

  test('references equal those of the service', () =>
    fc.assert(
      fc.property(texts, (text) => {
        const ours = promptParts(text).flatMap((part) =>
          part.kind === 'reference' ? [{ name: part.name, version: part.version, label: part.label }] : [],
        );
        expect(ours).toEqual(partsOf(text).filter((part) => typeof part !== 'string'));
      }),
    ));

  test('a megabyte of opening braces takes no time', () => {
    const started = performance.now();
    for (const piece of ['{{', '{{>', '{{a', '{{ '] as const) promptParts(`${piece.repeat(1_000_000 / piece.length)}}}`);
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});

test('variables and references are distinct', () => {
  const parts = promptParts('{{a}} {{> x }} {{b}} {{a}} {{>x}} {{> x#1 }}');
  expect(variablesOf(parts)).toEqual(['a', 'b']);
  expect(referencesOf(parts).map(({ text }) => text)).toEqual(['{{> x }}', '{{> x#1 }}']);
});
