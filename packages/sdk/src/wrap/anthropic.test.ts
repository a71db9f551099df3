import Anthropic from '@anthropic-ai/sdk';
import { describe, expect, test } from 'vitest';
import { spansOf } from '../fake-service.fixture.ts';
import type { TestClient } from '../fake-service.fixture.ts';
import { useFakeModels } from './fake-models.fixture.ts';
import type { FakeModels } from './fake-models.fixture.ts';

let models: FakeModels;
let client: TestClient;
let anthropic: Anthropic;

useFakeModels((rig) => {
  ({ models, client } = rig);
  anthropic = client.spanwise.wrapAnthropic(new Anthropic({ apiKey: 'unused', baseURL: models.url, maxRetries: 0 }));
});

const spans = () => spansOf(client);

const model = 'claude-sonnet-5-5';
const request = { model, max_tokens: 100, messages: [{ role: 'user' as const, content: 'Weather?' }] };
const content = [
  { type: 'text', text: 'Let me see.' },
  { type: 'tool_use', id: 'tool-1', name: 'weather', input: { city: 'Rome' } },
];
const message = {
  id: 'msg-1',
  type: 'message',
  role: 'assistant',
  model: 'claude-sonnet-5-5-20260801',
  content,
  stop_reason: 'tool_use',
  stop_sequence: null,
  usage: { input_tokens: 100, cache_read_input_tokens: 900, cache_creation_input_tokens: 200, output_tokens: 50 },
};
const expected = {
  name: `chat ${model}`,
  kind: 'llm',
  operation: 'chat',
  provider: 'anthropic',
  model: 'claude-sonnet-5-5-20260801',
  // The whole input: the cache is within it.
  usage: { inputTokens: 1200, outputTokens: 50, cachedTokens: 900, cacheWriteTokens: 200 },
  output: { role: 'assistant', content },
  attributes: { 'gen_ai.response.id': 'msg-1', 'gen_ai.response.finish_reasons': ['tool_use'], 'gen_ai.request.max_tokens': 100 },
};
const events = [
  {
    type: 'message_start',
    message: { ...message, content: [], stop_reason: null, usage: { ...message.usage, output_tokens: 1 } },
  },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'ping' },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Let me ' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'see.' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'content_block_start', index: 1, content_block: { type: 'tool_use', id: 'tool-1', name: 'weather', input: {} } },
  { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '{"city":' } },
  { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '"Rome"}' } },
  { type: 'content_block_stop', index: 1 },
  { type: 'message_delta', delta: { stop_reason: 'tool_use', stop_sequence: null }, usage: { output_tokens: 50 } },
  { type: 'message_stop' },
];

describe('a message', () => {
  test('is a call; its input is the whole one', async () => {
    models.answer = { json: message };
    const answer = await client.spanwise.trace({ name: 'turn' }, () =>
      anthropic.messages.create({ ...request, system: 'Be brief.' }),
    );
    expect(answer.content).toHaveLength(2);
    const [call, root] = await spans();
    expect(call).toMatchObject({ ...expected, parentSpanId: root?.spanId });
    expect(call?.['input']).toEqual([{ role: 'system', content: 'Be brief.' }, ...request.messages]);
  });

  test('without a cache has no counts of it', async () => {
    models.answer = { json: { ...message, usage: { input_tokens: 7, output_tokens: 2 } } };
    await anthropic.beta.messages.create(request);
    expect((await spans())[0]?.['usage']).toEqual({ inputTokens: 7, outputTokens: 2 });
  });

  test.each([429, 529])('that fails with %i is an error with this code', async (status) => {
    models.answer = { json: { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }, status };
    await expect(anthropic.messages.create(request)).rejects.toThrow(Anthropic.APIError);
    expect(await spans()).toMatchObject([{ status: 'error', errorCode: String(status), model }]);
  });

  test('keeps withResponse and asResponse', async () => {
    models.answer = { json: message };
    const { data, response } = await anthropic.messages.create(request).withResponse();
    expect([data.id, response.status]).toEqual(['msg-1', 200]);
    expect(await (await anthropic.messages.create(request).asResponse()).json()).toMatchObject({ id: 'msg-1' });
    expect(await spans()).toMatchObject([expected, { model }]);
  });
});

describe('a streamed message', () => {
  test('is put together', async () => {
    models.answer = { events };
    const types: string[] = [];
    for await (const event of await anthropic.messages.create({ ...request, stream: true })) types.push(event.type);
    expect(types).toHaveLength(11);
    expect(await spans()).toMatchObject([{ ...expected, timeToFirstTokenMs: expect.any(Number) as number }]);
  });

  test('of the helper is recorded once, and not changed by it', async () => {
    models.answer = { events };
    const texts: string[] = [];
    const final = await anthropic.messages
      .stream(request)
      .on('text', (text) => texts.push(text))
      .finalMessage();
    expect([texts, final.content]).toEqual([['Let me ', 'see.'], content]);
    expect(await spans()).toMatchObject([expected]);
  });

  test('of a tool runner and of a thread is recorded once, and not changed', async () => {
    models.answer = { events };
    const beta = anthropic.beta.messages;
    const run = () => Promise.resolve('Sunny.');
    const tools = [{ name: 'weather', input_schema: { type: 'object' as const }, run, parse: (input: unknown) => input }];
    const types: string[] = [];
    for await (const stream of beta.toolRunner({ ...request, tools, stream: true, max_iterations: 1 })) {
      for await (const { type } of stream) types.push(type);
      expect((await stream.finalMessage()).content).toEqual(content);
    }
    expect(types).toHaveLength(11);
    const thread = beta.thread({ model, max_tokens: 100 });
    expect((await thread.stream(request.messages).finalMessage()).content).toEqual(content);
    expect(await spans()).toMatchObject([expected, { ...expected, timeToFirstTokenMs: expect.any(Number) as number }]);
  });

  test('of a tool runner that fails in its middle is an error', async () => {
    models.answer = {
      events: [...events.slice(0, 4), { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }],
    };
    const runner = anthropic.beta.messages.toolRunner({ ...request, tools: [], stream: true });
    await expect(Array.fromAsync(runner)).rejects.toThrow(Anthropic.APIError);
    expect(await spans()).toMatchObject([{ status: 'error', output: { content: [{ text: 'Let me ' }] } }]);
  });

  test('of a thread that is aborted ends, and the application learns of it', async () => {
    models.answer = { events: events.slice(0, 4), end: 'open' };
    const stream = anthropic.beta.messages.thread({ model, max_tokens: 100 }).stream(request.messages);
    stream.on('streamEvent', ({ type }) => void (type === 'content_block_delta' && stream.abort()));
    await expect(stream.finalMessage()).rejects.toThrow(Anthropic.APIUserAbortError);
    expect(await spans()).toMatchObject([{ status: 'error', errorCode: 'APIUserAbortError' }]);
  });

  test('that the application leaves early ends there', async () => {
    models.answer = { events: events.slice(0, 8), end: 'open' };
    for await (const event of await anthropic.messages.create({ ...request, stream: true })) {
      if (event.type === 'content_block_delta' && event.index === 1) break;
    }
    const [span] = await spans();
    expect(span).toMatchObject({ output: { content: [{ text: 'Let me see.' }, { input: '{"city":' }] } });
    expect(span).not.toHaveProperty('status');
  });

  test('of the helper that is aborted ends, and the application learns of it', async () => {
    models.answer = { events: events.slice(0, 4), end: 'open' };
    const stream = anthropic.messages.stream(request);
    stream.on('text', () => stream.abort());
    const error: unknown = await stream.done().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Anthropic.APIUserAbortError);
    const { message: errorMessage } = error as Error;
    const output = { content: [{ text: 'Let me ' }] };
    expect(await spans()).toMatchObject([{ status: 'error', errorCode: 'APIUserAbortError', errorMessage, output }]);
  });

  test('that is aborted while it is read is an error, as a call without a stream', async () => {
    models.answer = { events: events.slice(0, 4), end: 'open' };
    const stream = await anthropic.messages.create({ ...request, stream: true });
    const reading = Array.fromAsync(stream);
    stream.controller.abort();
    await reading;
    await anthropic.messages.create(request, { signal: AbortSignal.abort() }).catch(() => {});
    const expectedError = { status: 'error', errorCode: 'APIUserAbortError', errorMessage: 'Request was aborted.' };
    expect(await spans()).toMatchObject([expectedError, expectedError]);
  });

  test('that fails in its middle is an error', async () => {
    models.answer = {
      events: [...events.slice(0, 4), { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }],
    };
    await expect(Array.fromAsync(await anthropic.messages.create({ ...request, stream: true }))).rejects.toThrow();
    expect(await spans()).toMatchObject([{ status: 'error', output: { content: [{ text: 'Let me ' }] } }]);
  });
});
