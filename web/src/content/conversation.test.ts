import { expect, test } from 'vitest';
import { conversationOf } from './conversation.ts';

const said = (input: unknown, output: unknown) =>
  conversationOf(input, output).map(({ role, parts }) => [
    role,
    ...parts.map((part) => (part.kind === 'text' ? part.text : part.kind)),
  ]);

test('texts are said by the user and the assistant', () => {
  expect(said('Hello?', 'Hi.')).toEqual([
    ['user', 'Hello?'],
    ['assistant', 'Hi.'],
  ]);
});

test('messages keep who said them, and other values are shown as they are', () => {
  const messages = [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Hello?' },
  ];
  expect(said(messages, { city: 'Bern' })).toEqual([
    ['system', 'Be brief.'],
    ['user', 'Hello?'],
    ['assistant', 'other'],
  ]);
});

test('what was not recorded is not said', () => {
  expect(said(null, '')).toEqual([]);
  expect(said(undefined, 0)).toEqual([['assistant', 'other']]);
});

test('what nests 50,000 deep is said as text, or as the value that it is', () => {
  const nested = '['.repeat(50_000) + ']'.repeat(50_000);
  expect(said(nested, JSON.parse(nested))).toEqual([
    ['user', nested],
    ['assistant', 'other'],
  ]);
});
