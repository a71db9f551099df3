import { describe, expect, test } from 'vitest';
import { readAttributes } from '../read-attributes.fixture.ts';
import { bareUsage } from '../python-usage.fixture.ts';

// Each with the smallest set of attributes that shows it; the bodies of the clients are in test/fixtures/otlp-python. A span of the tests lasts a second.

describe('a time to first token', () => {
  const serverTime = 'gen_ai.server.time_to_first_token';
  test.each([
    ['of Strands is in milliseconds', 'strands.telemetry.tracer', serverTime, 559, 559],
    ['is in seconds', 'test', serverTime, 0.5, 500],
    ['that would be longer than the span in seconds is in milliseconds', 'test', serverTime, 559, 559],
    ['that is longer than the span is dropped', 'test', serverTime, 55_969, null],
    ['in milliseconds is dropped where it is longer than the span', 'test', 'ai.response.msToFirstChunk', 3000, null],
    ['of OpenLIT is the duration of a call without a stream', 'openlit.instrumentation.openai', serverTime, 0.9994, null],
    ['of OpenLIT is kept where it is shorter', 'openlit.instrumentation.openai', serverTime, 0.4, 400],
  ])('%s', (_what, scopeName, attribute, value, ms) => {
    expect(readAttributes({ [attribute]: value }, { scopeName }).timeToFirstTokenMs).toBe(ms);
  });

  test('is that of the first chunk of Traceloop', () => {
    const chunk = { name: 'gen_ai.content.completion.chunk', attributes: {} };
    expect(readAttributes({}, { events: [chunk, chunk] }).timeToFirstTokenMs).toBe(500);
  });
});

describe('cached and reasoning tokens', () => {
  const usage = { inputTokens: 1300, outputTokens: 53, cachedTokens: 515, reasoningTokens: 19 };
  test.each(bareUsage)('$client', ({ attributes }) => {
    expect(readAttributes(attributes)).toMatchObject(usage);
  });

  test('of 0 do not hide those of another attribute', () => {
    const attributes = {
      'gen_ai.usage.cache_read.input_tokens': 0,
      'metadata.usage_object': "{'prompt_tokens_details': {'cached_tokens': 5}}",
    };
    expect(readAttributes({ ...attributes, 'gen_ai.usage.input_tokens': 9 }).cachedTokens).toBe(5);
  });
});

describe('thoughts beside the output are added to it', () => {
  test.each([
    [
      'gen_ai',
      'gen_ai.usage.input_tokens',
      'gen_ai.usage.output_tokens',
      'gen_ai.usage.reasoning.output_tokens',
      'gen_ai.usage.total_tokens',
    ],
    [
      'OpenInference',
      'llm.token_count.prompt',
      'llm.token_count.completion',
      'llm.token_count.completion_details.reasoning',
      'llm.token_count.total',
    ],
    ['the Vercel AI SDK', 'ai.usage.inputTokens', 'ai.usage.outputTokens', 'ai.usage.reasoningTokens', 'ai.usage.totalTokens'],
  ])('%s', (_client, input, output, reasoning, total) => {
    const counts = (one: number, two: number, all?: number) =>
      readAttributes({ [input]: 1000, [output]: one, [reasoning]: two, ...(all === undefined ? {} : { [total]: all }) })
        .outputTokens;
    expect(counts(100, 900, 2000)).toBe(1000);
    expect(counts(100, 900)).toBe(1000);
    expect(counts(500, 400, 1900)).toBe(900);
    expect(counts(500, 400, 1500)).toBe(500);
    expect(counts(500, 400)).toBe(500);
  });
});

describe('a hidden value is no id', () => {
  test.each(["[Scrubbed due to 'session']", '[REDACTED]', '<redacted>', '***', '[FILTERED]'])('%s', (hidden) => {
    const attributes = { 'session.id': hidden, 'gen_ai.conversation.id': 's1', 'user.id': hidden, 'tag.tags': `a,${hidden}` };
    expect(readAttributes(attributes)).toMatchObject({ sessionId: 's1', userId: '', tags: ['a'] });
  });

  test('a word of the kind within an id is one', () => {
    expect(readAttributes({ 'session.id': 'redacted-42' }).sessionId).toBe('redacted-42');
  });
});

describe('the provider', () => {
  test.each([
    ['strands-agents', 'gpt-4o', 'openai'],
    ['langchain', 'claude-sonnet-4-5', 'anthropic'],
    ['OpenAI', 'gpt-4o', 'openai'],
    ['Azure', 'gpt-4o', 'azure'],
    ['langgraph', 'a-model-that-nobody-knows', ''],
  ])('%s of %s is %s', (named, model, provider) => {
    expect(readAttributes({ 'gen_ai.provider.name': named, 'gen_ai.request.model': model }).provider).toBe(provider);
  });

  test('is that of the next attribute behind a framework, and none of an agent', () => {
    expect(readAttributes({ 'gen_ai.provider.name': 'langchain', 'llm.system': 'mistral', 'llm.model_name': 'm' }).provider).toBe(
      'mistral',
    );
    const agent = {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.provider.name': 'microsoft.agent_framework',
      'gen_ai.request.model': 'gpt-4o',
    };
    expect(readAttributes(agent).provider).toBe('');
  });
});

test('events of one name are joined', () => {
  const details = (attributes: Record<string, unknown>) => ({ name: 'gen_ai.client.inference.operation.details', attributes });
  const parts = (content: string) => [{ type: 'text', content }];
  const record = readAttributes(
    { 'gen_ai.operation.name': 'chat' },
    {
      events: [
        details({ 'gen_ai.system_instructions': JSON.stringify(parts('Be brief.')) }),
        details({ 'gen_ai.input.messages': JSON.stringify([{ role: 'user', parts: parts('Hi') }]) }),
        details({ 'gen_ai.output.messages': JSON.stringify([{ role: 'assistant', parts: parts('Ho') }]) }),
      ],
    },
  );
  expect(JSON.parse(record.input)).toEqual([
    { role: 'system', parts: parts('Be brief.') },
    { role: 'user', parts: parts('Hi') },
  ]);
  expect(JSON.parse(record.output)).toEqual([{ role: 'assistant', parts: parts('Ho') }]);
});

test('contents of messages of OpenInference are their content', () => {
  const message = 'llm.input_messages.0.message.';
  const record = readAttributes({
    'openinference.span.kind': 'LLM',
    [`${message}role`]: 'user',
    [`${message}contents.0.message_content.type`]: 'text',
    [`${message}contents.0.message_content.text`]: 'What is this?',
    [`${message}contents.1.message_content.type`]: 'image',
    [`${message}contents.1.message_content.image.image.url`]: 'https://example.com/a.png',
    'llm.input_messages.1.message.role': 'function',
    'llm.input_messages.1.message.function.0': '{"name":"look","content":"a cat","call_id":"c1"}',
  });
  expect(JSON.parse(record.input)).toEqual([
    {
      role: 'user',
      content: [
        { type: 'text', text: 'What is this?' },
        { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
      ],
    },
    { role: 'tool', name: 'look', tool_call_id: 'c1', content: 'a cat' },
  ]);
});

test('metadata that was sent as JSON is read', () => {
  const record = readAttributes({
    'langfuse.trace.metadata.plan': '"pro"',
    'langfuse.observation.metadata.parallel_tool_calls': 'true',
    'langfuse.observation.metadata.tries': '2',
    'langsmith.metadata.version': '1.10',
    'langsmith.metadata.path': '["a"]',
  });
  expect(JSON.parse(record.metadata)).toEqual({ plan: 'pro', parallel_tool_calls: true, tries: 2, version: '1.10', path: ['a'] });
});

test('an output without parts does not hide the older attributes', () => {
  const empty = JSON.stringify([{ role: 'assistant', parts: [], finish_reason: 'tool_calls' }]);
  const call = { 'gen_ai.completion.0.function_call.name': 'get_weather', 'gen_ai.completion.0.function_call.arguments': '{}' };
  expect(readAttributes({ 'gen_ai.output.messages': empty, ...call, 'llm.user': 'u' })).toMatchObject({
    userId: 'u',
    output: '[{"function_call":{"name":"get_weather","arguments":"{}"}}]',
  });
  expect(readAttributes({ 'gen_ai.output.messages': empty }).output).toBe(empty);
});

test('embeddings have their texts and their vectors', () => {
  const one = 'embedding.embeddings.0.embedding.';
  const record = readAttributes({
    'openinference.span.kind': 'EMBEDDING',
    'input.value': "['a']",
    [`${one}text`]: 'a',
    [`${one}vector`]: [0.5, 1],
  });
  expect(record).toMatchObject({ input: '["a"]', output: '[[0.5,1]]' });
});

describe('kinds and names', () => {
  test.each([
    ['create_agent', { 'gen_ai.operation.name': 'create_agent' }, 'test', { kind: 'span' }],
    [
      'a node of LangGraph by OpenLIT',
      { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'model' },
      'openlit.instrumentation.langgraph',
      { kind: 'chain', agentName: '' },
    ],
    [
      'the default name of OpenTelemetry',
      { 'gen_ai.operation.name': 'chat', 'gen_ai.agent.name': 'OpenAI Agent' },
      'opentelemetry.instrumentation.openai_agents',
      { kind: 'llm', agentName: '' },
    ],
    [
      'a model that only the request names',
      { 'openinference.span.kind': 'LLM', 'input.value': '{"model":"gpt-4.1"}' },
      'test',
      { model: 'gpt-4.1' },
    ],
    ['a request of a chain', { 'openinference.span.kind': 'CHAIN', 'input.value': '{"model":"gpt-4.1"}' }, 'test', { model: '' }],
    [
      'what AG2 reports of a call',
      { 'ag2.span.type': 'usage', 'gen_ai.response.model': 'gpt-4o', 'gen_ai.usage.input_tokens': 5 },
      'test',
      { kind: 'span' },
    ],
  ])('%s', (_what, attributes, scopeName, fields) => {
    expect(readAttributes(attributes, { scopeName })).toMatchObject(fields);
  });

  test('a call of a tool by the Model Context Protocol', () => {
    const record = readAttributes({ 'mcp.method.name': 'tools/call' }, { name: 'MCP send tools/call get_weather' });
    expect(record).toMatchObject({ kind: 'tool', toolName: 'get_weather' });
    expect(readAttributes({ 'mcp.method.name': 'initialize' }).kind).toBe('span');
  });
});
