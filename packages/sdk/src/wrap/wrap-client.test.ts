import OpenAI from 'openai';
import { APIPromise } from 'openai/core/api-promise';
import { describe, expect, test } from 'vitest';
import { openTestClient, spansOf } from '../fake-service.fixture.ts';
import type { TestClient } from '../fake-service.fixture.ts';
import { useFakeModels } from './fake-models.fixture.ts';
import type { FakeModels } from './fake-models.fixture.ts';
import { completion, tokens } from './openai-answers.fixture.ts';

let models: FakeModels;
let client: TestClient;
let openai: OpenAI;

useFakeModels((rig) => {
  ({ models, client } = rig);
  openai = client.spanwise.wrapOpenAI(new OpenAI({ apiKey: 'unused', baseURL: `${models.url}/v1`, maxRetries: 0 }));
});

const spans = () => spansOf(client);

const request = { model: 'gpt-4o', messages: [{ role: 'user' as const, content: 'Weather?' }] };

describe('the wrapped client', () => {
  test('is the client in all else', async () => {
    const plain = new OpenAI({ apiKey: 'unused', baseURL: `${models.url}/v1` });
    const wrapped = client.spanwise.wrapOpenAI(plain);
    expect(wrapped).toBeInstanceOf(OpenAI);
    expect(wrapped.baseURL).toBe(plain.baseURL);
    expect(wrapped.chat.completions).toBe(wrapped.chat.completions);
    expect(wrapped.chat.completions.create).toBe(wrapped.chat.completions.create);
    models.answer = { json: { object: 'list', data: [{ id: 'gpt-4o', object: 'model' }] } };
    expect((await wrapped.models.list()).data).toMatchObject([{ id: 'gpt-4o' }]);
    expect((await wrapped.get('/models')) as object).toMatchObject({ object: 'list' });
    expect(await spans()).toEqual([]);
  });

  test('withOptions gives a wrapped one; the provider is that of the option or of the address', async () => {
    models.answer = { json: completion({ content: 'Sunny.' }) };
    await openai.withOptions({ maxRetries: 1 }).chat.completions.create(request);
    const named = client.spanwise.wrapOpenAI(new OpenAI({ apiKey: 'unused', baseURL: `${models.url}/v1` }), { provider: 'groq' });
    await named.chat.completions.create(request);
    const azure = new OpenAI({
      apiKey: 'a',
      baseURL: 'https://x.openai.azure.com/v1',
      fetch: () => Promise.resolve(Response.json(completion({}))),
    });
    await client.spanwise.wrapOpenAI(azure).chat.completions.create(request);
    expect((await spans()).map((span) => span['provider'])).toEqual(['openai', 'groq', 'azure']);
  });

  test('records below the parent of its options, also outside of it', async () => {
    models.answer = { json: completion({ content: 'Sunny.' }) };
    const trace = client.spanwise.trace({ name: 'turn' });
    const plain = new OpenAI({ apiKey: 'unused', baseURL: `${models.url}/v1` });
    await client.spanwise.wrapOpenAI(plain, { parent: trace }).chat.completions.create(request);
    trace.end();
    const [call] = await spans();
    expect(call).toMatchObject({ traceId: trace.traceId, parentSpanId: trace.spanId, provider: 'openai' });
  });

  test('that is wrapped again records a call once, with the last options; another SDK client records it too', async () => {
    models.answer = { json: completion({ content: 'Sunny.' }) };
    const trace = client.spanwise.trace({ name: 'turn' });
    const again = client.spanwise.wrapOpenAI(openai, { parent: trace, provider: 'groq' });
    await again.chat.completions.create(request);
    trace.end();
    const calls = async () => (await spans()).filter(({ kind }) => kind === 'llm');
    expect(await calls()).toMatchObject([{ parentSpanId: trace.spanId, provider: 'groq' }]);
    const other = openTestClient();
    await other.spanwise.wrapOpenAI(openai).chat.completions.create(request);
    expect(await calls()).toHaveLength(2);
    expect(await spansOf(other)).toHaveLength(1);
  });

  test('of version 7, whose answers have a `_thenUnwrap` of their own, is recorded by its helpers too', async () => {
    const plain = new OpenAI({ apiKey: 'unused', baseURL: `${models.url}/v1` });
    const { post } = plain;
    plain.post = <T>(path: string, options?: Parameters<typeof post>[1]) => {
      const answer = post.call(plain, path, options) as APIPromise<T>;
      const apart = new APIPromise<T>(plain, answer['responsePromise'], answer['parseResponse']);
      return Object.assign(answer, { _thenUnwrap: apart._thenUnwrap.bind(apart) });
    };
    models.answer = { json: completion({ content: '{"sky":"blue"}' }) };
    const parsed = await client.spanwise.wrapOpenAI(plain).chat.completions.parse(request);
    expect(parsed).toMatchObject({ _request_id: 'req-1', choices: [{ message: { content: '{"sky":"blue"}' } }] });
    expect(await spans()).toMatchObject([{ name: 'chat gpt-4o', usage: tokens }]);
  });

  test('of version 4 is recorded by its helpers in `beta` too', async () => {
    const plain = new OpenAI({ apiKey: 'unused', baseURL: `${models.url}/v1` });
    const { stream, parse, runTools } = plain.chat.completions;
    const helpers = { _client: plain, stream, parse, runTools };
    models.answer = { json: completion({ content: 'Sunny.' }) };
    const old = client.spanwise.wrapOpenAI(Object.assign(plain, { beta: { chat: { completions: helpers } } }));
    const answer = await old.beta.chat.completions.parse(request);
    expect(answer.choices[0]?.message.content).toBe('Sunny.');
    expect(await spans()).toMatchObject([{ name: 'chat gpt-4o', usage: tokens }]);
  });

  test('of any other shape: a promise, a value, an exception', async () => {
    const error = new Error('no');
    const other = client.spanwise.wrapOpenAI({
      chat: { completions: { create: (body: { how: string }) => answerOf(body.how) } },
    });
    function answerOf(how: string): unknown {
      if (how === 'throws') throw error;
      return how === 'promise' ? Promise.resolve(completion({ content: 'a' })) : completion({ content: 'a' });
    }
    expect(await other.chat.completions.create({ how: 'promise' })).toEqual(completion({ content: 'a' }));
    expect(other.chat.completions.create({ how: 'value' })).toEqual(completion({ content: 'a' }));
    expect(() => other.chat.completions.create({ how: 'throws' })).toThrow(error);
    await client.clock.advance(0);
    expect((await spans()).map(({ usage: counted, status }) => status ?? counted)).toEqual([tokens, 'error', tokens]);
  });
});
