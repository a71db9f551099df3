import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import { spansOf } from '../fake-service.fixture.ts';
import type { TestClient } from '../fake-service.fixture.ts';
import { useFakeModels } from './fake-models.fixture.ts';
import type { FakeModels } from './fake-models.fixture.ts';
import { completion, tokens, toolCall, usage } from './openai-answers.fixture.ts';

let models: FakeModels;
let client: TestClient;
let openai: OpenAI;

useFakeModels((rig) => {
  ({ models, client } = rig);
  openai = client.spanwise.wrapOpenAI(new OpenAI({ apiKey: 'unused', baseURL: `${models.url}/v1`, maxRetries: 0 }));
});

const spans = () => spansOf(client);

const messages = [{ role: 'user' as const, content: 'What is the weather?' }];
const request = { model: 'gpt-4o', messages };
const chunk = (delta: object, more: object = {}) => ({
  id: 'chatcmpl-2',
  object: 'chat.completion.chunk',
  model: 'gpt-4o-2024-08-06',
  choices: [{ index: 0, delta, finish_reason: null, ...more }],
});
const usageChunk = { ...chunk({}), choices: [], usage };
const streamed = [
  chunk({ role: 'assistant', content: '' }),
  chunk({ content: 'Sun' }),
  chunk({ content: 'ny.' }),
  chunk({}, { finish_reason: 'stop' }),
  usageChunk,
];

describe('a chat completion', () => {
  test('is a call with its model, tokens, messages and settings, below the active span', async () => {
    models.answer = { json: completion({ content: 'Sunny.' }) };
    const answer = await client.spanwise.trace({ name: 'turn' }, () =>
      openai.chat.completions.create({ ...request, temperature: 0.2, tools: [] }),
    );
    expect(answer.choices[0]?.message.content).toBe('Sunny.');
    const [call, root] = await spans();
    expect(call).toMatchObject({
      name: 'chat gpt-4o',
      kind: 'llm',
      operation: 'chat',
      provider: 'openai',
      model: 'gpt-4o-2024-08-06',
      usage: tokens,
      input: messages,
      output: { role: 'assistant', content: 'Sunny.' },
      parentSpanId: root?.spanId,
      attributes: {
        'gen_ai.request.model': 'gpt-4o',
        'gen_ai.request.temperature': 0.2,
        'gen_ai.response.id': 'chatcmpl-1',
        'gen_ai.response.finish_reasons': ['stop'],
        'gen_ai.tool.definitions': [],
      },
    });
    expect(call).not.toHaveProperty('timeToFirstTokenMs');
  });

  test('leaves out counts that the service would refuse the span for', async () => {
    models.answer = { json: { ...completion({}), usage: { prompt_tokens: -1, completion_tokens: 2.5, total_tokens: 0 } } };
    await openai.chat.completions.create(request);
    expect((await spans())[0]?.['usage']).toEqual({});
  });

  test('has the tools that the model calls', async () => {
    models.answer = { json: completion({ tool_calls: [toolCall] }) };
    await openai.chat.completions.create(request);
    expect((await spans())[0]?.['output']).toMatchObject({ tool_calls: [toolCall] });
  });

  test.each([
    [429, { error: { message: 'Slow down.', type: 'requests', code: 'rate_limit_exceeded' } }],
    [500, { error: { message: 'Broken.' } }],
  ])('that fails with %i is an error with this code, which is thrown on', async (status, json) => {
    models.answer = { json, status };
    const error: unknown = await openai.chat.completions.create(request).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(OpenAI.APIError);
    expect(await spans()).toMatchObject([
      { status: 'error', errorCode: String(status), errorMessage: (error as Error).message, model: 'gpt-4o' },
    ]);
  });

  test('that does not arrive is an error with the name of its class', async () => {
    const away = client.spanwise.wrapOpenAI(new OpenAI({ apiKey: 'unused', baseURL: 'http://127.0.0.1:1/v1', maxRetries: 0 }));
    await expect(away.chat.completions.create(request)).rejects.toThrow(OpenAI.APIConnectionError);
    expect(await spans()).toMatchObject([{ status: 'error', errorCode: 'APIConnectionError' }]);
  });

  test('keeps what the library promises: withResponse, asResponse', async () => {
    models.answer = { json: completion({ content: 'Sunny.' }) };
    const { data, response, request_id: id } = await openai.chat.completions.create(request).withResponse();
    expect([data.id, response.status, id]).toEqual(['chatcmpl-1', 200, 'req-1']);
    const raw = await openai.chat.completions.create(request).asResponse();
    expect(await raw.json()).toMatchObject({ id: 'chatcmpl-1' });
    const [parsed, unread] = await spans();
    expect(parsed).toMatchObject({ usage: tokens });
    // Its body is the application's.
    expect(unread).not.toHaveProperty('usage');
    expect(unread).toHaveProperty('endTime');
  });

  test('of the helper `parse` is recorded once', async () => {
    models.answer = { json: completion({ content: '{"city":"Rome"}' }) };
    const answer = await openai.chat.completions.parse({ ...request, response_format: { type: 'json_object' } });
    expect(answer.choices[0]?.message).toHaveProperty('parsed');
    expect(await spans()).toMatchObject([{ usage: tokens }]);
  });

  test('several choices are a list', async () => {
    const one = completion({ content: 'a' });
    models.answer = { json: { ...one, choices: [...one.choices, { ...one.choices[0], index: 1 }] } };
    await openai.chat.completions.create({ ...request, n: 2 });
    expect((await spans())[0]?.['output']).toHaveLength(2);
  });
});

describe('a streamed chat completion', () => {
  test('has the whole message, its tokens and the time to the first one', async () => {
    models.answer = { events: streamed };
    const stream = await openai.chat.completions.create({ ...request, stream: true });
    expect(client.service.spans()).toEqual([]);
    let text = '';
    await client.clock.advance(25);
    for await (const part of stream) {
      // The chunk with the tokens was not asked for: this line would fail on it.
      text += part.choices[0]?.delta.content ?? '';
      expect(part.choices).toHaveLength(1);
      await client.clock.advance(10);
    }
    expect(text).toBe('Sunny.');
    expect(models.requests[0]?.['stream_options']).toEqual({ include_usage: true });
    expect(await spans()).toMatchObject([
      {
        kind: 'llm',
        model: 'gpt-4o-2024-08-06',
        usage: tokens,
        output: { role: 'assistant', content: 'Sunny.' },
        timeToFirstTokenMs: 35,
        attributes: { 'gen_ai.response.id': 'chatcmpl-2', 'gen_ai.response.finish_reasons': ['stop'] },
      },
    ]);
  });

  test('shows the chunk with the tokens where the application asks for it, and asks for none where it must not', async () => {
    models.answer = { events: streamed };
    const asked = await openai.chat.completions.create({ ...request, stream: true, stream_options: { include_usage: true } });
    expect((await Array.fromAsync(asked)).at(-1)?.usage).toEqual(usage);
    const plain = client.spanwise.wrapOpenAI(new OpenAI({ apiKey: 'unused', baseURL: `${models.url}/v1` }), {
      streamUsage: false,
    });
    await Array.fromAsync(await plain.chat.completions.create({ ...request, stream: true }));
    expect(models.requests[1]).not.toHaveProperty('stream_options');
    expect(await spans()).toHaveLength(2);
  });

  test('puts the pieces of tool calls together', async () => {
    const piece = (index: number, call: object) => chunk({ tool_calls: [{ index, ...call }] });
    models.answer = {
      events: [
        piece(0, { id: 'call-1', type: 'function', function: { name: 'weather', arguments: '' } }),
        piece(0, { function: { arguments: '{"city":' } }),
        piece(1, { id: 'call-2', type: 'function', function: { name: 'time', arguments: '{}' } }),
        piece(0, { function: { arguments: '"Rome"}' } }),
      ],
    };
    await Array.fromAsync(await openai.chat.completions.create({ ...request, stream: true }));
    const second = { id: 'call-2', type: 'function', function: { name: 'time', arguments: '{}' } };
    expect((await spans())[0]?.['output']).toEqual({ tool_calls: [toolCall, second] });
  });

  test.each([
    [
      'a function call',
      [
        { function_call: { name: 'weather', arguments: '' } },
        { function_call: { name: 'weather', arguments: '{"city":' } },
        { function_call: { name: '', arguments: '"Rome"}' } },
      ],
      { function_call: toolCall.function },
    ],
    [
      'audio',
      [
        { audio: { id: 'audio-1', transcript: 'Sun' } },
        { audio: { id: 'audio-1', transcript: 'ny.', data: 'AAAA' } },
        { audio: { data: 'BBBB' } },
        { audio: { expires_at: 1_790_000_000 } },
      ],
      { audio: { id: 'audio-1', transcript: 'Sunny.', data: 'AAAABBBB', expires_at: 1_790_000_000 } },
    ],
    [
      'reasoning with an index',
      [
        { reasoning_details: [{ type: 'reasoning.text', text: 'It is ', format: 'anthropic-claude-v1', index: 0 }] },
        { reasoning_details: [{ type: 'reasoning.text', text: 'noon.', format: 'anthropic-claude-v1', index: 0 }] },
        { reasoning_details: [{ type: 'reasoning.text', signature: 'abc', index: 0 }] },
        { reasoning_details: [{ type: 'reasoning.encrypted', data: 'xyz', index: 0 }] },
        { reasoning_details: [{ type: 'reasoning.text', text: 'Hot.', index: 1 }] },
      ],
      {
        reasoning_details: [
          { type: 'reasoning.text', text: 'It is noon.', format: 'anthropic-claude-v1', signature: 'abc', index: 0 },
          { type: 'reasoning.encrypted', data: 'xyz', index: 0 },
          { type: 'reasoning.text', text: 'Hot.', index: 1 },
        ],
      },
    ],
    [
      'lists without one',
      [{ annotations: [] }, { annotations: [{ type: 'url_citation' }] }, { annotations: [{ type: 'url_citation' }] }],
      { annotations: [{ type: 'url_citation' }, { type: 'url_citation' }] },
    ],
    [
      'tool calls of servers that number them not',
      [{ tool_calls: [] }, { tool_calls: null }, { tool_calls: [toolCall] }],
      { tool_calls: [toolCall] },
    ],
    [
      'a name that all objects have',
      [{ tool_calls: [JSON.parse('{"index":0,"__proto__":{"polluted":true}}') as object] }],
      { tool_calls: [JSON.parse('{"__proto__":{"polluted":true}}') as object] },
    ],
  ])('puts the pieces of %s together', async (_what, deltas, expected) => {
    models.answer = { events: deltas.map((delta) => chunk(delta)) };
    const parts = await Array.fromAsync(await openai.chat.completions.create({ ...request, stream: true }));
    expect((await spans())[0]?.['output']).toEqual(expected);
    // What the application has is not what was put together.
    expect(parts.map(({ choices }) => choices[0]?.delta)).toEqual(deltas);
    expect({}).not.toHaveProperty('polluted');
  });

  test('that the application leaves early ends there', async () => {
    models.answer = { events: streamed, end: 'open' };
    const stream = await openai.chat.completions.create({ ...request, stream: true });
    for await (const part of stream) if (part.choices[0]?.delta.content === 'Sun') break;
    expect(stream.controller.signal.aborted).toBe(true);
    const [span] = await spans();
    expect(span).toMatchObject({ output: { content: 'Sun' } });
    expect(span).not.toHaveProperty('status');
  });

  test('that is aborted without being read is an error', async () => {
    models.answer = { events: streamed, end: 'open' };
    const stream = await openai.chat.completions.create({ ...request, stream: true });
    stream.controller.abort();
    expect(await spans()).toMatchObject([{ status: 'error', errorCode: 'APIUserAbortError' }]);
  });

  test('that breaks off is an error with what there was', async () => {
    models.answer = { events: streamed.slice(0, 3), end: 'cut' };
    const stream = await openai.chat.completions.create({ ...request, stream: true });
    await expect(Array.fromAsync(stream)).rejects.toThrow();
    expect(await spans()).toMatchObject([{ status: 'error', output: { content: 'Sunny.' } }]);
  });

  test('can be split, and read as a stream of the platform', async () => {
    models.answer = { events: streamed };
    const [left, right] = (await openai.chat.completions.create({ ...request, stream: true })).tee();
    const [one, other] = await Promise.all([Array.fromAsync(left), Array.fromAsync(right)]);
    expect(one).toEqual(other);
    const readable = (await openai.chat.completions.create({ ...request, stream: true })).toReadableStream();
    expect((await new Response(readable as ReadableStream).text()).trim().split('\n')).toHaveLength(4);
    expect(await spans()).toMatchObject([{ usage: tokens }, { usage: tokens }]);
  });

  test('of the helper `stream` is recorded', async () => {
    models.answer = { events: streamed };
    const final = await openai.chat.completions.stream(request).finalChatCompletion();
    expect(final.choices[0]?.message.content).toBe('Sunny.');
    expect(await spans()).toMatchObject([{ usage: tokens, output: { content: 'Sunny.' } }]);
  });

  test('each call of the helper `runTools` is recorded below the active span', async () => {
    const call = { index: 0, id: 'call-1', type: 'function', function: { name: 'weather', arguments: '{}' } };
    models.answer = { json: completion({ tool_calls: [call] }) };
    await client.spanwise.trace({ name: 'turn' }, () =>
      openai.chat.completions
        .runTools({
          ...request,
          tools: [
            {
              type: 'function',
              function: {
                name: 'weather',
                parameters: {},
                description: 'The weather now.',
                function: () => {
                  models.answer = { json: completion({ content: 'Sunny.' }) };
                  return client.spanwise.span({ name: 'weather', kind: 'tool' }, () => 'sun');
                },
              },
            },
          ],
        })
        .finalContent(),
    );
    const all = await spans();
    expect(all.map(({ name }) => name)).toEqual(['chat gpt-4o', 'weather', 'chat gpt-4o', 'turn']);
    expect(new Set(all.slice(0, 3).map((span) => span['parentSpanId']))).toEqual(new Set([all[3]?.spanId]));
  });
});

describe('a response', () => {
  const output = [
    { type: 'message', id: 'msg-1', role: 'assistant', content: [{ type: 'output_text', text: 'Sunny.', annotations: [] }] },
  ];
  const response = {
    id: 'resp-1',
    object: 'response',
    model: 'gpt-5-2025-08-07',
    status: 'completed',
    output,
    usage: {
      input_tokens: 1200,
      input_tokens_details: { cached_tokens: 1024 },
      output_tokens: 85,
      output_tokens_details: { reasoning_tokens: 12 },
      total_tokens: 1285,
    },
  };
  const delta = { type: 'response.output_text.delta', item_id: 'msg-1', output_index: 0, content_index: 0, delta: 'Sun' };
  const expected = { kind: 'llm', model: 'gpt-5-2025-08-07', usage: tokens, output };

  test('is a call', async () => {
    models.answer = { json: response };
    const answer = await openai.responses.create({ model: 'gpt-5', input: 'Weather?', instructions: 'Be brief.' });
    expect(answer.output_text).toBe('Sunny.');
    const input = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Weather?' },
    ];
    expect(await spans()).toMatchObject([{ ...expected, input, attributes: { 'gen_ai.response.id': 'resp-1' } }]);
  });

  test('can be streamed, also by the helper', async () => {
    models.answer = {
      events: [
        { type: 'response.created', response: { ...response, status: 'in_progress', output: [], usage: null } },
        delta,
        { type: 'response.completed', response },
      ],
    };
    const stream = await openai.responses.create({ model: 'gpt-5', input: 'Weather?', stream: true });
    expect(await Array.fromAsync(stream)).toHaveLength(3);
    const seen: string[] = [];
    for await (const event of openai.responses.stream({ model: 'gpt-5', input: 'Weather?' })) {
      seen.push(event.type);
      if (seen.length === 1) break;
    }
    expect(await spans()).toMatchObject([
      { ...expected, timeToFirstTokenMs: expect.any(Number) as number },
      { model: expected.model },
    ]);
  });

  test('that is left early has the text so far; one that fails its error', async () => {
    const begun = { type: 'response.created', response: { ...response, status: 'in_progress', output: [], usage: null } };
    models.answer = { events: [begun, delta, delta], end: 'open' };
    let parts = 0;
    for await (const _part of await openai.responses.create({ model: 'gpt-5', input: 'a', stream: true }))
      if (++parts === 2) break;
    const error = { code: 'server_error', message: 'Broken.' };
    models.answer = { events: [begun, { type: 'response.failed', response: { ...response, status: 'failed', error } }] };
    await Array.fromAsync(await openai.responses.create({ model: 'gpt-5', input: 'a', stream: true }));
    expect(await spans()).toMatchObject([
      { output: 'Sun', model: expected.model },
      { status: 'error', errorCode: 'server_error', errorMessage: 'Broken.' },
    ]);
  });
});

test('embeddings are calls without their vectors', async () => {
  models.answer = {
    json: {
      object: 'list',
      model: 'text-embedding-3-small',
      data: [{ object: 'embedding', index: 0, embedding: Buffer.from(new Float32Array([0.5, 1]).buffer).toString('base64') }],
      usage: { prompt_tokens: 7, total_tokens: 7 },
    },
  };
  const answer = await openai.embeddings.create({ model: 'text-embedding-3-small', input: ['a', 'b'] });
  expect(answer.data[0]?.embedding).toEqual([0.5, 1]);
  const [span] = await spans();
  expect(span).toMatchObject({
    name: 'embeddings text-embedding-3-small',
    kind: 'embedding',
    operation: 'embeddings',
    model: 'text-embedding-3-small',
    input: ['a', 'b'],
    usage: { inputTokens: 7 },
  });
  expect(span).not.toHaveProperty('output');
});
