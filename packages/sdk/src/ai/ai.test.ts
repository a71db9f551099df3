import { createOpenAI } from '@ai-sdk/openai';
import { ROOT_CONTEXT, trace } from '@opentelemetry/api';
import type { Span as OtelSpan } from '@opentelemetry/api';
import { embed, generateObject, generateText, jsonSchema, stepCountIs, streamText, tool } from 'ai';
import { describe, expect, test } from 'vitest';
import { spansOf } from '../fake-service.fixture.ts';
import type { TestClient } from '../fake-service.fixture.ts';
import { useFakeModels } from '../wrap/fake-models.fixture.ts';
import { completion, tokens, toolCall, usage } from '../wrap/openai-answers.fixture.ts';
import type { FakeModels } from '../wrap/fake-models.fixture.ts';
import { aiSpanFields } from './ai-span-fields.ts';
import { aiTelemetry } from './index.ts';

let models: FakeModels;
let client: TestClient;
let openai: ReturnType<typeof createOpenAI>;

useFakeModels((rig) => {
  ({ models, client } = rig);
  openai = createOpenAI({ apiKey: 'unused', baseURL: `${models.url}/v1` });
});

const spans = () => spansOf(client);

test('generateText with a tool: an agent, its calls and the tool, below the active span', async () => {
  models.answer = { json: completion({ tool_calls: [toolCall] }, 'tool_calls') };
  const { text } = await client.spanwise.trace({ name: 'turn' }, () =>
    generateText({
      model: openai.chat('gpt-4o'),
      prompt: 'Weather?',
      stopWhen: stepCountIs(3),
      tools: {
        weather: tool({
          inputSchema: jsonSchema<{ city: string }>({ type: 'object', properties: { city: { type: 'string' } } }),
          execute: ({ city }) => {
            models.answer = { json: completion({ content: 'Sunny.' }) };
            return client.spanwise.span({ name: 'lookup' }, () => ({ city, sky: 'clear' }));
          },
        }),
      },
      experimental_telemetry: aiTelemetry(client.spanwise, {
        functionId: 'forecaster',
        metadata: { sessionId: 's1', userId: 'u1', tags: ['a', 'b'] },
      }),
    }),
  );
  expect(text).toBe('Sunny.');
  const all = await spans();
  const of = (kind: string) => all.filter((span) => span['kind'] === kind);
  const [agent] = of('agent');
  expect(agent).toMatchObject({
    name: 'ai.generateText',
    operation: 'ai.generateText',
    agentName: 'forecaster',
    sessionId: 's1',
    userId: 'u1',
    tags: ['a', 'b'],
    input: { prompt: 'Weather?' },
    output: 'Sunny.',
    parentSpanId: all.find(({ name }) => name === 'turn')?.spanId,
  });
  // It repeats the tokens of its calls.
  expect(agent).not.toHaveProperty('usage');
  const [first, second] = of('llm');
  expect(first).toMatchObject({
    model: 'gpt-4o-2024-08-06',
    provider: 'openai',
    // The SDK tells no more of an answer that is not streamed.
    usage: { inputTokens: 1200, outputTokens: 85 },
    input: [{ role: 'user', content: [{ type: 'text', text: 'Weather?' }] }],
    output: [{ toolCallId: 'call-1', toolName: 'weather' }],
    parentSpanId: agent?.spanId,
    attributes: { 'gen_ai.response.id': 'chatcmpl-1' },
  });
  expect(second).toMatchObject({ output: 'Sunny.', parentSpanId: agent?.spanId });
  const [used] = of('tool');
  expect(used).toMatchObject({
    name: 'weather',
    input: { city: 'Rome' },
    output: { city: 'Rome', sky: 'clear' },
    parentSpanId: agent?.spanId,
    attributes: { 'gen_ai.tool.name': 'weather' },
  });
  expect(all.find(({ name }) => name === 'lookup')).toMatchObject({ parentSpanId: used?.spanId });
  expect(new Set(all.map(({ traceId }) => traceId)).size).toBe(1);
  for (const name of Object.keys(first?.['attributes'] as object)) expect(name).not.toMatch(/prompt|usage|response\.text/);
});

test('spans are below the parent of the options, and below each other', async () => {
  models.answer = { json: completion({ content: 'Sunny.' }) };
  const parent = client.spanwise.trace({ name: 'turn' });
  await client.spanwise.trace({ name: 'other' }, () =>
    generateText({
      model: openai.chat('gpt-4o'),
      prompt: 'Weather?',
      experimental_telemetry: aiTelemetry(client.spanwise, { parent }),
    }),
  );
  const all = await spans();
  const agent = all.find(({ name }) => name === 'ai.generateText');
  expect(agent).toMatchObject({ traceId: parent.traceId, parentSpanId: parent.spanId });
  expect(all.find(({ kind }) => kind === 'llm')).toMatchObject({ traceId: parent.traceId, parentSpanId: agent?.spanId });
});

test('version 7 names the parents of its spans by contexts of OpenTelemetry', async () => {
  const { tracer } = aiTelemetry(client.spanwise);
  client.spanwise.trace({ name: 'turn' }, () => {
    const agent = tracer.startSpan('ai.generateText', {});
    const below = trace.setSpan(ROOT_CONTEXT, agent as unknown as OtelSpan);
    const call = tracer.startSpan('ai.generateText.doGenerate', {}, below);
    tracer.startActiveSpan('ai.toolCall', {}, trace.setSpan(below, call as unknown as OtelSpan), (span) => span.end());
    call.end();
    agent.end();
  });
  const all = await spans();
  const [turn, agent, call] = ['turn', 'ai.generateText', 'ai.generateText.doGenerate'].map(
    (name) => all.find((span) => span.name === name)?.spanId,
  );
  expect(all.map(({ name, parentSpanId }) => [name, parentSpanId])).toEqual([
    ['ai.toolCall', call],
    ['ai.generateText.doGenerate', agent],
    ['ai.generateText', turn],
    ['turn', undefined],
  ]);
});

test('version 7 has the function and the metadata of the options, or else its own function and `runtimeContext`', async () => {
  const ofOptions = { functionId: 'forecaster', metadata: { sessionId: 's1', userId: 'u1', tags: ['a'] } };
  // As version 7 does: it has no metadata, and no function where its own options name none.
  aiTelemetry(client.spanwise, ofOptions)
    .tracer.startSpan('ai.generateText', { attributes: { 'ai.telemetry.functionId': undefined } })
    .end();
  const ofCall = { 'ai.telemetry.functionId': 'seer', 'ai.settings.context.sessionId': 's2', 'ai.settings.context.tags': ['b'] };
  aiTelemetry(client.spanwise).tracer.startSpan('ai.generateText', { attributes: ofCall }).end();
  const [first, second] = await spans();
  expect(first).toMatchObject({ agentName: 'forecaster', sessionId: 's1', userId: 'u1', tags: ['a'] });
  expect(second).toMatchObject({ agentName: 'seer', sessionId: 's2', tags: ['b'] });
});

test('streamText has the time to its first part', async () => {
  const chunk = (delta: object, more: object = {}) => ({
    id: 'chatcmpl-2',
    model: 'gpt-4o-2024-08-06',
    choices: [{ index: 0, delta, ...more }],
  });
  models.answer = {
    events: [
      chunk({ role: 'assistant', content: 'Sun' }),
      chunk({ content: 'ny.' }),
      chunk({}, { finish_reason: 'stop' }),
      { ...chunk({}), choices: [], usage },
    ],
  };
  const result = streamText({
    model: openai.chat('gpt-4o'),
    prompt: 'Weather?',
    experimental_telemetry: aiTelemetry(client.spanwise),
  });
  expect(await result.text).toBe('Sunny.');
  const all = await spans();
  expect(all.find((span) => span['kind'] === 'llm')).toMatchObject({
    usage: tokens,
    output: 'Sunny.',
    timeToFirstTokenMs: expect.any(Number) as number,
  });
  expect(all.find((span) => span['kind'] === 'agent')).toMatchObject({ output: 'Sunny.' });
});

test('generateObject and embed', async () => {
  const telemetry = { experimental_telemetry: aiTelemetry(client.spanwise, { recordInputs: false }) };
  models.answer = { json: completion({ content: '{"city":"Rome"}' }) };
  const schema = jsonSchema<{ city: string }>({ type: 'object', properties: { city: { type: 'string' } } });
  await generateObject({ model: openai.chat('gpt-4o'), schema, prompt: 'A city.', ...telemetry });
  models.answer = { json: { data: [{ index: 0, embedding: [0.5, 1] }], usage: { prompt_tokens: 7, total_tokens: 7 } } };
  await embed({ model: openai.embedding('text-embedding-3-small'), value: 'Rome', ...telemetry });
  const all = await spans();
  const object = all.find((span) => span['kind'] === 'llm');
  expect(object).toMatchObject({ output: { city: 'Rome' } });
  expect(object).not.toHaveProperty('input');
  const embedding = all.find((span) => span['kind'] === 'embedding');
  expect(embedding).toMatchObject({ model: 'text-embedding-3-small', usage: { inputTokens: 7 } });
  expect(embedding).not.toHaveProperty('output');
  expect(all.find(({ name }) => name === 'ai.embed')).toMatchObject({ kind: 'chain' });
});

test('a call that fails is an error, as are those around it', async () => {
  models.answer = { json: { error: { message: 'Slow down.' } }, status: 400 };
  const failing = generateText({
    model: openai.chat('gpt-4o'),
    prompt: 'a',
    maxRetries: 0,
    experimental_telemetry: aiTelemetry(client.spanwise),
  });
  await expect(failing).rejects.toThrow('Slow down.');
  const all = await spans();
  expect(all).toHaveLength(2);
  for (const span of all)
    expect(span).toMatchObject({ status: 'error', errorCode: 'AI_APICallError', errorMessage: 'Slow down.' });
});

describe('the tokens of Anthropic', () => {
  const anthropic = { usage: { input_tokens: 100, cache_read_input_tokens: 900, cache_creation_input_tokens: 200 } };
  const attributes = (inputTokens: number) => ({
    'ai.operationId': 'ai.generateText.doGenerate',
    'ai.usage.inputTokens': inputTokens,
    'ai.usage.outputTokens': 5,
    'ai.usage.cachedInputTokens': 900,
    'ai.response.providerMetadata': JSON.stringify({ anthropic }),
  });

  test.each([
    [100, 'beside the cache'],
    [1200, 'with the cache'],
  ])('are the whole input when the SDK gives %i: %s', (inputTokens) => {
    expect(aiSpanFields('ai.generateText.doGenerate', attributes(inputTokens)).usage).toMatchObject({
      inputTokens: 1200,
      outputTokens: 5,
      cachedTokens: 900,
      cacheWriteTokens: 200,
    });
  });
});
