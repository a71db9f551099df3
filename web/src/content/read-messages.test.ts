import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readMessages } from './read-messages.ts';
import type { Part } from './message.ts';

const text = (value: string) => ({ kind: 'text', text: value });

test.each([
  ['a text', { role: 'system', content: 'Be brief.\nBe kind.' }],
  ['parts', { role: 'developer', parts: [{ type: 'text', content: 'Be brief.\nBe kind.' }] }],
])('a system prompt that was recorded beside the messages and in them is shown once: %s', (_what, within) => {
  const beside = { role: 'system', parts: ['Be brief.', 'Be kind.'].map((content) => ({ type: 'text', content })) };
  const messages = readMessages([beside, within, { role: 'user', content: 'Hi' }]);
  expect(messages?.map(({ role }) => role)).toEqual([within.role, 'user']);
});

test('different system prompts, and a repeated message of a user, are all shown', () => {
  for (const role of ['system', 'user']) {
    const messages = readMessages([
      { role, content: 'Be brief.' },
      { role, content: role === 'system' ? 'Be kind.' : 'Be brief.' },
    ]);
    expect(messages).toHaveLength(2);
  }
});

test('an empty text is no part', () => {
  const messages = readMessages([
    {
      role: 'assistant',
      parts: [
        { type: 'text', content: '' },
        { type: 'text', content: 'Hi' },
      ],
    },
  ]);
  expect(messages?.[0]?.parts).toEqual([text('Hi')]);
});

test('a function that is called, and its result', () => {
  const messages = readMessages([
    { role: 'assistant', content: null, function_call: { name: 'weather', arguments: '{"city":"Rome"}' } },
    { role: 'function', name: 'weather', content: '21' },
  ]);
  expect(messages?.flatMap(({ parts }) => parts)).toMatchObject([
    { kind: 'tool-call', name: 'weather', arguments: { city: 'Rome' }, result: '21' },
  ]);
});

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
      parts: [
        text('Where is order 7?'),
        { kind: 'media', medium: 'image', label: 'image_url · image/png', url: 'data:image/png;base64,AAAA' },
      ],
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

test('bare tool calls of the Vercel AI SDK, and items of OpenAI Responses', () => {
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

test('results without ids belong to the first earlier call of their name without an id', () => {
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

describe('any calls and results', () => {
  type Sent = { kind: 'call' | 'result'; name: string | null; id: string | null };
  const sent: fc.Arbitrary<Sent> = fc.record({
    kind: fc.constantFrom('call', 'call', 'result'),
    name: fc.constantFrom(null, 'a', 'b', 'tool'),
    id: fc.constantFrom(null, null, null, 'x', 'y'),
  });
  const partOf = ({ kind, name, id }: Sent, index: number) => ({
    type: kind === 'call' ? 'tool_call' : 'tool_result',
    name,
    id,
    ...(kind === 'call' ? { arguments: index } : { result: index }),
  });

  /** What stands where: of each call its number and its result's, of each result that stands alone its own. */
  function paired(all: readonly Sent[][]): Array<Array<[number, number | null]>> {
    const parts = all.flat();
    const results = new Map<Sent, number>();
    const isCall = (part: Sent) => part.kind === 'call';
    const answers = (result: Sent, place: number): boolean => {
      const fits = (part: Sent) =>
        !results.has(part) && part.id === null && (part.name ?? 'tool') === (result.name ?? part.name ?? 'tool');
      const named = parts.findLast((part) => isCall(part) && part.id === result.id);
      const call = result.id === null ? parts.slice(0, place).find((part) => isCall(part) && fits(part)) : named;
      if (!call || results.has(call)) return false;
      results.set(call, place);
      return true;
    };
    const gone = new Set(parts.filter((part, place) => !isCall(part) && answers(part, place)));
    const told = (part: Sent): [number, number | null] => [parts.indexOf(part), results.get(part) ?? null];
    return all.map((message) => message.filter((part) => !gone.has(part)).map(told));
  }

  test('each result is attached to its call', () => {
    fc.assert(
      fc.property(fc.array(fc.array(sent, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 8 }), (all) => {
        let place = 0;
        const messages = all.map((parts) => ({ role: 'any', content: parts.map((part) => partOf(part, place++)) }));
        const told = (part: Part) => {
          if (part.kind === 'tool-call') return [part.arguments, part.answered ? part.result : null];
          return [part.kind === 'tool-result' && part.result, null];
        };
        const shown = readMessages(messages)?.map(({ parts }) => parts.map(told));
        expect(shown).toEqual(paired(all).filter((parts) => parts.length > 0));
      }),
      { numRuns: 1_000 },
    );
  });

  test('tens of thousands of calls and results with and without ids are paired in linear time', () => {
    const some = <Item>(item: Item) => Array.from({ length: 40_000 }, () => item);
    const calls = some({ type: 'tool_use', id: 'x', name: 'a' });
    const results = some({ type: 'tool_result', content: 'r' });
    expect(readMessages([{ role: 'user', content: [...calls, ...results] }])?.[0]?.parts).toHaveLength(80_000);
    const named = some({ type: 'tool_use', name: 'a' });
    expect(readMessages([{ role: 'user', content: [...named, ...results] }])?.[0]?.parts).toHaveLength(40_000);
    const others = [...named, ...some({ type: 'tool_result', name: 'b', content: 'r' })];
    expect(readMessages([{ role: 'user', content: others }])?.[0]?.parts).toHaveLength(80_000);
  });

  test('a message may contain more calls than the limit of function arguments', () => {
    const calls = Array.from({ length: 200_000 }, () => 0);
    expect(readMessages([{ role: 'assistant', content: null, tool_calls: calls }])?.[0]?.parts).toHaveLength(200_000);
  });
});

test('values nested 50,000 levels deep are kept unchanged', () => {
  const text = '['.repeat(50_000) + ']'.repeat(50_000);
  const deep: unknown = JSON.parse(text);
  expect(readMessages(text)).toBeNull();
  const messages = readMessages([
    { role: 'user', content: [deep, { type: deep }, { type: 'text', text: deep }] },
    { role: 'assistant', content: deep, tool_calls: [deep, { name: 'a', arguments: text }, { function: deep }] },
    { role: 'tool', name: 'a', content: text },
    { type: 'function_call', name: deep, arguments: text },
  ]);
  expect(messages?.map(({ parts }) => parts.map(({ kind }) => kind))).toEqual([
    ['other', 'other', 'other'],
    ['other', 'other', 'tool-call', 'tool-call'],
    ['tool-call'],
  ]);
});

test('a type that is not a string is ignored', () => {
  const type = JSON.parse('{"toString":1,"valueOf":1}') as unknown;
  expect(readMessages([{ type }])).toBeNull();
  expect(readMessages([{ role: 'user', content: [{ type, text: 'Hi' }] }])?.[0]?.parts).toEqual([text('Hi')]);
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
])('%j is not a conversation', (value) => expect(readMessages(value)).toBeNull());
