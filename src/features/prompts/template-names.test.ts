import { expect, test } from 'vitest';
import { templateNames } from './template-names.ts';

const namesOf = (type: 'text' | 'chat', prompt: string) => {
  const { variables, references } = templateNames(type, prompt);
  return [[...variables], [...references]];
};

test('variables and references are named once, in order', () => {
  expect(namesOf('text', '{{b}} {{ a }} {{b}} {{> p }} {{>q@x}} {{> q#3 }} {{> p }}')).toEqual([
    ['b', 'a'],
    ['{{> p }}', '{{> q@x }}', '{{> q#3 }}'],
  ]);
});

test('those of a chat prompt stand in its messages', () => {
  const messages = [
    { role: 'system', content: '{{> rules }}', note: '{{not this}}' },
    { role: 'user', content: '{{question}}' },
  ];
  expect(namesOf('chat', JSON.stringify(messages))).toEqual([['question'], ['{{> rules }}']]);
});

test.each([
  '{{#if x}}',
  '{{/if}}',
  '{{else}}',
  '${{ secrets.X }}',
  '{{{x}}}',
  '\\{{x}}',
  '\\{{> x }}',
  '{{x | upper}}',
  '{{}}',
  '{{ }}',
  '{a}',
  '{{a',
  'a}}',
  '{{a\nb}}',
  `{{${'x'.repeat(102)}}}`,
])('%j names nothing', (text) => {
  expect(namesOf('text', text)).toEqual([[], []]);
});
