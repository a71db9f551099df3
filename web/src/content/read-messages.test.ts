import { expect, test } from 'vitest';
import { readMessages } from './read-messages.ts';

const text = (value: string) => ({ kind: 'text', text: value });

test('OpenAI messages, with a call and its result paired', () => {
  const messages = readMessages([
    { role: 'system', content: 'Be brief.' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Where is order 7?' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
      ],
    },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'lookup', arguments: '{"id":7}' } }],
    },
    { role: 'tool', tool_call_id: 'c1', content: '{"status":"sent"}' },
    { role: 'assistant', content: 'It was sent.' },
  ]);
  expect(messages).toEqual([
    { role: 'system', name: null, parts: [text('Be brief.')] },
    {
      role: 'user',
      name: null,
      parts: [text('Where is order 7?'), { kind: 'media', label: 'image_url · data:image/png;base64' }],
    },
    {
      role: 'assistant',
      name: null,
      parts: [{ kind: 'tool-call', id: 'c1', name: 'lookup', arguments: { id: 7 }, result: { status: 'sent' }, answered: true }],
    },
    { role: 'assistant', name: null, parts: [text('It was sent.')] },
  ]);
});

test("OpenTelemetry's parts, as JSON text", () => {
  const sent = JSON.stringify([
    {
      role: 'assistant',
      parts: [
        { type: 'reasoning', content: 'Hm.' },
        { type: 'tool_call', id: 'a', name: 'search', arguments: { q: 'x' } },
      ],
    },
    { role: 'tool', parts: [{ type: 'tool_call_response', id: 'a', response: ['hit'] }] },
  ]);
  expect(readMessages(sent)).toEqual([
    {
      role: 'assistant',
      name: null,
      parts: [
        { kind: 'reasoning', text: 'Hm.' },
        { kind: 'tool-call', id: 'a', name: 'search', arguments: { q: 'x' }, result: ['hit'], answered: true },
      ],
    },
  ]);
});

test("Anthropic's request with its system prompt, and a result without its call", () => {
  const messages = readMessages({
    system: 'Be kind.',
    messages: [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'gone', content: 'late' }] }],
  });
  expect(messages).toEqual([
    { role: 'system', name: null, parts: [text('Be kind.')] },
    { role: 'user', name: null, parts: [{ kind: 'tool-result', id: 'gone', name: null, result: 'late' }] },
  ]);
});

test("the Vercel AI SDK's parts and a completion's choices", () => {
  expect(
    readMessages([{ role: 'assistant', content: [{ type: 'tool-call', toolCallId: '1', toolName: 'add', input: { a: 1 } }] }]),
  ).toEqual([
    {
      role: 'assistant',
      name: null,
      parts: [{ kind: 'tool-call', id: '1', name: 'add', arguments: { a: 1 }, result: undefined, answered: false }],
    },
  ]);
  expect(readMessages({ choices: [{ message: { role: 'assistant', content: 'Hi' } }] })).toEqual([
    { role: 'assistant', name: null, parts: [text('Hi')] },
  ]);
});

test.each([
  ['plain text'],
  ['{broken'],
  [{ answer: 42 }],
  [[1, 2]],
  [[]],
  [null],
  [7],
  [[{ role: 5, content: 'x' }]],
  [{ messages: { messages: {} } }],
])('%j is no conversation', (value) => expect(readMessages(value)).toBeNull());
