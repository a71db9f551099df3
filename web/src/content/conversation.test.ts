import { expect, test } from 'vitest';
import { conversationOf } from './conversation.ts';

const said = (input: unknown, output: unknown) =>
  conversationOf(input, output).map(({ role, parts }) => [
    role,
    ...parts.map((part) => (part.kind === 'text' ? part.text : part.kind)),
  ]);

test('plain texts are messages of the user and the assistant', () => {
  expect(said('Hello?', 'Hi.')).toEqual([
    ['user', 'Hello?'],
    ['assistant', 'Hi.'],
  ]);
});

test('messages keep their roles, and other values are shown unchanged', () => {
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

test('missing values are no messages', () => {
  expect(said(null, '')).toEqual([]);
  expect(said(undefined, 0)).toEqual([['assistant', 'other']]);
});

test('values nested 50,000 levels deep are shown', () => {
  const nested = '['.repeat(50_000) + ']'.repeat(50_000);
  expect(said(nested, JSON.parse(nested))).toEqual([
    ['user', nested],
    ['assistant', 'other'],
  ]);
});
