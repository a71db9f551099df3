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
      parts: [
        {
          kind: 'tool-call',
          id: 'c1',
          name: 'lookup',
          arguments: { id: 7 },
          result: { status: 'sent' },
          answered: true,
          place: 0,
        },
      ],
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
        { kind: 'tool-call', id: 'a', name: 'search', arguments: { q: 'x' }, result: ['hit'], answered: true, place: 0 },
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
      parts: [{ kind: 'tool-call', id: '1', name: 'add', arguments: { a: 1 }, result: undefined, answered: false, place: 0 }],
    },
  ]);
  expect(readMessages({ choices: [{ message: { role: 'assistant', content: 'Hi' } }] })).toEqual([
    { role: 'assistant', name: null, parts: [text('Hi')] },
  ]);
});

test("calls of tools that stand in no message: the Vercel AI SDK's, and the items of OpenAI's Responses", () => {
  const call = { kind: 'tool-call', id: '1', name: 'add', arguments: { a: 1 }, result: undefined, answered: false, place: 0 };
  const bare = [{ toolCallId: '1', toolName: 'add', input: '{"a":1}' }];
  expect(readMessages(bare)).toEqual([{ role: 'assistant', name: null, parts: [call] }]);
  expect(readMessages({ text: 'Adding.', toolCalls: bare })).toEqual([
    { role: 'assistant', name: null, parts: [text('Adding.'), call] },
  ]);
  const thought = { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Easy.' }] };
  const asked = { type: 'function_call', id: 'fc_1', call_id: '1', name: 'add', arguments: '{"a":1}' };
  expect(
    readMessages({ instructions: null, output: [thought, { type: 'message', role: 'assistant', content: [] }, asked] }),
  ).toEqual([
    { role: 'assistant', name: null, parts: [{ kind: 'reasoning', text: 'Easy.' }] },
    { role: 'assistant', name: null, parts: [] },
    { role: 'assistant', name: null, parts: [call] },
  ]);
  expect(
    readMessages([{ role: 'user', content: 'Add.' }, asked, { type: 'function_call_output', call_id: '1', output: '2' }]),
  ).toEqual([
    { role: 'user', name: null, parts: [text('Add.')] },
    { role: 'assistant', name: null, parts: [{ ...call, result: '2', answered: true }] },
  ]);
});

test('results without ids stand with the first call of their name before them that has none', () => {
  const calls = ['a', 'b', 'a'].map((name, index) => ({ function: { name, arguments: { index } } }));
  const result = (name: string, content: string) => ({ role: 'tool', tool_name: name, content });
  const messages = readMessages([
    result('a', 'too early'),
    { role: 'assistant', content: '', tool_calls: calls },
    result('a', 'first'),
    result('a', 'second'),
    result('a', 'one too many'),
    result('c', 'of nobody'),
  ]);
  expect(messages?.map(({ role }) => role)).toEqual(['tool', 'assistant', 'tool', 'tool']);
  const parts = messages?.[1]?.parts.map((part) => (part.kind === 'tool-call' ? [part.place, part.name, part.result] : part));
  expect(parts).toEqual([
    [0, 'a', 'first'],
    [1, 'b', undefined],
    [2, 'a', 'second'],
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
