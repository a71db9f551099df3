import { describe, expect, test } from 'vitest';
import { readAttributes, readScores } from '../read-attributes.fixture.ts';

// Behaviour of real clients that a table of attributes does not show.

describe('the input includes cached tokens', () => {
  test('cached tokens that exceed the input are added to it', () => {
    const record = readAttributes({
      'gen_ai.usage.input_tokens': 500,
      'gen_ai.usage.cache_read.input_tokens': 4200,
      'gen_ai.usage.cache_creation.input_tokens': 300,
    });
    expect(record).toMatchObject({ inputTokens: 5000, cachedTokens: 4200, cacheWriteTokens: 300 });
  });

  test('cached tokens that do not exceed the input are not added', () => {
    expect(readAttributes({ 'gen_ai.usage.input_tokens': 1200, 'gen_ai.usage.cache_read.input_tokens': 1200 }).inputTokens).toBe(
      1200,
    );
  });

  test('AI SDK 5 excludes them for Anthropic, also where they do not exceed the input', () => {
    const usage = { input_tokens: 900, cache_read_input_tokens: 100, cache_creation_input_tokens: 20 };
    const attributes = {
      'ai.operationId': 'ai.generateText.doGenerate',
      'ai.usage.inputTokens': 900,
      'gen_ai.usage.input_tokens': 900,
      'ai.response.providerMetadata': JSON.stringify({ anthropic: { usage } }),
    };
    expect(readAttributes(attributes)).toMatchObject({ inputTokens: 1020, cachedTokens: 100, cacheWriteTokens: 20 });
    // Version 6 includes them.
    const summed = { ...attributes, 'ai.usage.inputTokens': 1020, 'gen_ai.usage.input_tokens': 1020 };
    expect(readAttributes(summed).inputTokens).toBe(1020);
  });

  test.each([
    ['shares', { input: 1200, output: 85, input_cached_tokens: 200, input_cache_creation: 10 }, 1410, 200],
    ['shares with their total', { input: 1200, output: 85, total: 1485, input_cached_tokens: 200 }, 1400, 200],
    ['a total without them', { input: 1200, output: 85, total: 1285, input_cached_tokens: 200 }, 1200, 200],
    ["OpenAI's names", { prompt_tokens: 1200, completion_tokens: 85, prompt_tokens_details: { cached_tokens: 200 } }, 1200, 200],
  ])('Langfuse sends %s', (_what, usage, inputTokens, cachedTokens) => {
    const record = readAttributes({ 'langfuse.observation.usage_details': JSON.stringify(usage) });
    expect(record).toMatchObject({ inputTokens, cachedTokens, outputTokens: 85 });
  });

  test('what Langfuse sends in shares that add up to their total is added, such as audio', () => {
    // As @langfuse/langchain 5.11.1 and @langfuse/openai 5.11.1 sent a call of 1,200 input and 85 output tokens.
    const langchain =
      '{"input":169,"output":40,"total":1285,"input_audio":7,"input_cache_read":1024,"output_audio":5,"output_reasoning":40}';
    const openai = langchain.replace('cache_read', 'cached_tokens').replaceAll(/audio|reasoning/g, '$&_tokens');
    for (const usage of [langchain, openai]) {
      const record = readAttributes({ 'langfuse.observation.usage_details': usage });
      expect(record).toMatchObject({ inputTokens: 1200, outputTokens: 85, cachedTokens: 1024, reasoningTokens: 40 });
      expect(JSON.parse(record.usageDetails)).toEqual({ inputAudio: 7, outputAudio: 5 });
    }
  });

  test.each<[string, string, object | string, object]>([
    [
      'shares without a total',
      'langfuse.observation.usage_details',
      { input: 100, output: 10, input_audio_tokens: 20 },
      { inputTokens: 120, usageDetails: '{"inputAudio":20}' },
    ],
    [
      'cache writes of both lengths',
      'langfuse.observation.usage_details',
      { input: 100, input_cache_creation_5m: 30, input_cache_creation_1h: 40, output: 10, total: 180 },
      { inputTokens: 170, cacheWriteTokens: 70, usageDetails: '{"cacheWrite5m":30,"cacheWrite1h":40}' },
    ],
    [
      "OpenAI's details",
      'gen_ai.usage.raw',
      { prompt_tokens: 50, completion_tokens: 9, prompt_tokens_details: { audio_tokens: 30, text_tokens: 20, cached_tokens: 0 } },
      { inputTokens: 50, outputTokens: 9, usageDetails: '{"inputAudio":30}' },
    ],
    [
      "Anthropic's cache writes",
      'gen_ai.usage.raw',
      {
        input_tokens: 5,
        output_tokens: 1,
        cache_creation_input_tokens: 70,
        cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 70 },
      },
      { cacheWriteTokens: 70, usageDetails: '{"cacheWrite1h":70}' },
    ],
  ])('classes of tokens: %s', (_what, attribute, usage, expected) => {
    expect(readAttributes({ [attribute]: JSON.stringify(usage) })).toMatchObject(expected);
  });

  test('classes of tokens: those of several attributes are joined', () => {
    const record = readAttributes({
      'llm.token_count.prompt_details.audio': 3,
      'llm.token_count.completion_details.audio': 4,
      'llm.token_count.prompt': 10,
      'llm.token_count.completion': 10,
    });
    expect(JSON.parse(record.usageDetails)).toEqual({ inputAudio: 3, outputAudio: 4 });
  });

  test('Claude Code excludes them', () => {
    const tokens = { input_tokens: 900, cache_read_tokens: 100, cache_creation_tokens: 50, output_tokens: 7 };
    expect(readAttributes({ 'span.type': 'llm_request', model: 'claude-sonnet-4-5', ...tokens })).toMatchObject({
      kind: 'llm',
      inputTokens: 1050,
      cachedTokens: 100,
      cacheWriteTokens: 50,
    });
    expect(readAttributes(tokens).inputTokens).toBe(900);
  });
});

describe('failures that the span status does not show', () => {
  test('Langfuse sets a level', () => {
    const attributes = { 'langfuse.observation.level': 'ERROR', 'langfuse.observation.status_message': 'no quota' };
    expect(readAttributes(attributes)).toMatchObject({ status: 'error', errorCode: 'unknown', errorMessage: 'no quota' });
    expect(readAttributes({ 'langfuse.observation.level': 'WARNING' }).status).toBe('');
  });

  test('LangSmith adds an exception event and sets the status OK', () => {
    const events = [{ name: 'exception', attributes: { 'exception.type': 'ValueError', 'exception.message': 'bad' } }];
    const failed = { status: 'error', errorCode: 'ValueError', errorMessage: 'bad' };
    expect(readAttributes({ 'langsmith.span.kind': 'llm' }, { status: { code: 1 }, events })).toMatchObject(failed);
    // In other conventions an exception event alone is not a failure: it may have been caught.
    expect(readAttributes({ 'gen_ai.operation.name': 'chat' }, { status: { code: 1 }, events }).status).toBe('ok');
  });
});

test('the kind of a LangSmith retriever wins over its operation embeddings', () => {
  expect(readAttributes({ 'langsmith.span.kind': 'retriever', 'gen_ai.operation.name': 'embeddings' }).kind).toBe('retriever');
});

describe('a cost of 0', () => {
  const usage = { 'gen_ai.usage.cost': 0, 'gen_ai.usage.input_tokens': 12, 'gen_ai.request.model': 'gpt-4o' };

  test('is provided, with tokens too', () => {
    expect(readAttributes(usage)).toMatchObject({ costUsd: 0, costStatus: 'provided' });
    expect(readAttributes({ 'langfuse.observation.cost_details': '{"total":0}', ...usage })).toMatchObject({ costUsd: 0 });
    expect(readAttributes({ 'gen_ai.usage.cost': 0 })).toMatchObject({ costUsd: 0, costStatus: 'provided' });
  });

  test('of OpenLIT with tokens is none', () => {
    const scopeName = 'openlit.instrumentation.openai';
    expect(readAttributes(usage, { scopeName })).toMatchObject({ costUsd: 0.00003, costStatus: 'priced' });
    expect(readAttributes({ 'gen_ai.usage.cost': 0 }, { scopeName })).toMatchObject({ costUsd: 0, costStatus: 'provided' });
  });
});

describe('embedding vectors', () => {
  const vector = Array.from({ length: 1536 }, (_unused, index) => index / 7);

  test('are shortened in the output and whole in the attributes', () => {
    const output = JSON.stringify({ data: [{ embedding: vector, index: 0 }], model: 'm' });
    const record = readAttributes({ 'openinference.span.kind': 'EMBEDDING', 'output.value': output });
    expect(JSON.parse(record.output)).toEqual({
      data: [{ embedding: [...vector.slice(0, 8), '... 1528 more'], index: 0 }],
      model: 'm',
    });
    expect(JSON.parse(record.attributes)).toMatchObject({ 'output.value': output });
  });

  test('are shortened where each is a JSON text', () => {
    const record = readAttributes({ 'ai.operationId': 'ai.embed.doEmbed', 'ai.embeddings': [JSON.stringify(vector)] });
    expect(JSON.parse(record.output)).toEqual([[...vector.slice(0, 8), '... 1528 more']]);
  });

  test('are not shortened in calls of other kinds', () => {
    const input = JSON.stringify(vector);
    expect(readAttributes({ 'openinference.span.kind': 'LLM', 'input.value': input }).input).toBe(input);
  });
});

describe('messages in several attributes or events', () => {
  test('flattened prompts and completions', () => {
    const record = readAttributes({
      'gen_ai.prompt.1.content': 'Hi',
      'gen_ai.prompt.1.role': 'user',
      'gen_ai.prompt.0.role': 'system',
      'gen_ai.prompt.0.content': 'Be kind.',
      'gen_ai.prompt.10.role': 'tool',
      'gen_ai.completion.0.tool_calls.0.name': 'weather',
      'gen_ai.prompt.name': 'greeting',
    });
    expect(JSON.parse(record.input)).toEqual([
      { role: 'system', content: 'Be kind.' },
      { content: 'Hi', role: 'user' },
      { role: 'tool' },
    ]);
    expect(JSON.parse(record.output)).toEqual([{ tool_calls: [{ name: 'weather' }] }]);
    expect(record.promptName).toBe('greeting');
  });

  test('flattened OpenInference messages, without their wrapper levels', () => {
    const record = readAttributes({
      'llm.input_messages.0.message.role': 'user',
      'llm.input_messages.0.message.contents.0.message_content.text': 'Hi',
      'llm.input_messages.999999999999.message.role': 'user',
    });
    expect(JSON.parse(record.input)).toEqual([{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }, { role: 'user' }]);
  });

  test.each([
    ['a text', (value: unknown) => JSON.stringify(value)],
    ['a list', (value: unknown) => value],
  ])('message events in one attribute, as %s', (_form, encoded) => {
    const events = encoded([
      { content: 'Be short.', 'gen_ai.message.index': 0, 'event.name': 'gen_ai.system.message' },
      { content: 'Hi', role: 'user', 'event.name': 'gen_ai.user.message' },
      { 'event.name': 'gen_ai.choice', index: 0, message: { role: 'assistant', content: 'Hello' } },
      { 'event.name': 'another' },
    ]);
    const input = [
      { role: 'system', content: 'Be short.' },
      { content: 'Hi', role: 'user' },
    ];
    const output = [{ index: 0, message: { role: 'assistant', content: 'Hello' } }];
    const record = readAttributes({ events: events as string, 'gen_ai.request.model': 'm' });
    expect([JSON.parse(record.input), JSON.parse(record.output)]).toEqual([input, output]);
    const agent = readAttributes({ all_messages_events: events as string, final_result: 'Hello' });
    expect([JSON.parse(agent.input), agent.output]).toEqual([input, '"Hello"']);
  });

  test('no message that nests too deep to be written', () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const events = `[{"event.name":"gen_ai.user.message","content":"Hi"},{"event.name":"gen_ai.user.message","content":${deep}}]`;
    expect(readAttributes({ events }).input).toBe('[{"role":"user","content":"Hi"}]');
  });

  test('no message in an attribute named events that holds others', () => {
    expect(readAttributes({ events: '[{"name":"click"}]' })).toMatchObject({ input: '', output: '' });
  });

  test('embedded texts and reranked documents of OpenInference', () => {
    const record = readAttributes({
      'embedding.embeddings.1.embedding.text': 'second',
      'embedding.embeddings.0.embedding.vector': [0.5],
      'embedding.embeddings.0.embedding.text': 'first',
      'reranker.output_documents.0.document.content': 'best',
    });
    expect([record.input, record.output]).toEqual(['["first","second"]', '[{"content":"best"}]']);
  });

  test('message events', () => {
    const events = [
      { name: 'gen_ai.system.message', attributes: { 'gen_ai.system': 'openai', content: 'Be kind.' } },
      { name: 'gen_ai.user.message', attributes: { content: 'Hi' } },
      {
        name: 'gen_ai.choice',
        attributes: { index: 0, finish_reason: 'stop', message: '{"role":"assistant","content":"Hello"}' },
      },
    ];
    const record = readAttributes({ 'gen_ai.operation.name': 'chat' }, { events });
    expect(JSON.parse(record.input)).toEqual([
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: 'Hi' },
    ]);
    expect(JSON.parse(record.output)).toEqual([
      { index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'Hello' } },
    ]);
    expect(readAttributes({ 'input.value': 'better' }, { events }).input).toBe('"better"');
  });

  test('one event with all messages', () => {
    const attributes = { 'gen_ai.input.messages': '[{"role":"user"}]', 'gen_ai.output.messages': [{ role: 'assistant' }] };
    const record = readAttributes({}, { events: [{ name: 'gen_ai.client.inference.operation.details', attributes }] });
    expect([record.input, record.output]).toEqual(['[{"role":"user"}]', '[{"role":"assistant"}]']);
  });

  test.each([
    ['[{"type":"text","content":"Be kind."}]', '[{"role":"user"}]', [{ type: 'text', content: 'Be kind.' }]],
    ['Be kind.', '[{"role":"user"}]', [{ type: 'text', content: 'Be kind.' }]],
    ['Be kind.', ' [ {"role":"user"}]', [{ type: 'text', content: 'Be kind.' }]],
  ])('system instructions go before the messages: %s', (instructions, messages, parts) => {
    const record = readAttributes({ 'gen_ai.system_instructions': instructions, 'gen_ai.input.messages': messages });
    expect(JSON.parse(record.input)).toEqual([{ role: 'system', parts }, { role: 'user' }]);
  });

  test.each([
    ['[{"type": "text", "content": "Be kind."}]', '[{"role": "system", "parts": [{"type": "text", "content": "Be kind."}]}]', 1],
    ['Be kind.', '[{"role":"system","content":"Be kind."},{"role":"user"}]', 2],
    ['Be kind.', '[{"role":"system","parts":[{"type":"text","content":"Be kind."}]}]', 1],
    ['Be kind.', '[{"role":"system","content":"Be kind. Or not."}]', 2],
    ['Be kind.', '[{"role":"user","content":"Be kind."}]', 2],
  ])('system instructions that the messages begin with are not repeated: %s %s', (instructions, messages, count) => {
    const record = readAttributes({ 'gen_ai.system_instructions': instructions, 'gen_ai.input.messages': messages });
    expect(JSON.parse(record.input)).toHaveLength(count);
  });

  test.each([
    ['a list', 'pydantic_ai.all_messages', '[{"role":"user"}]', [{ role: 'user' }]],
    ['a text', 'langfuse.trace.input', 'Hi', [{ role: 'user', content: 'Hi' }]],
    ['an object', 'input', '{"prompt":"Hi"}', [{ prompt: 'Hi' }]],
  ])('system instructions do not hide %s', (_what, attribute, input, rest) => {
    const record = readAttributes({ 'gen_ai.system_instructions': 'Be kind.', [attribute]: input });
    const system = { role: 'system', parts: [{ type: 'text', content: 'Be kind.' }] };
    expect(JSON.parse(record.input)).toEqual([system, ...rest]);
    expect(JSON.parse(readAttributes({ 'gen_ai.system_instructions': 'Be kind.' }).input)).toEqual([system]);
  });

  test('the conversation of a call takes precedence over its request and response; in other spans these do', () => {
    const attributes = {
      'input.value': '{"model":"gpt-4o"}',
      'llm.input_messages.0.message.content': 'Hi',
      'output.value': '{"id":"r1"}',
      'llm.output_messages.0.message.content': 'Hello',
    };
    const call = readAttributes({ 'openinference.span.kind': 'LLM', ...attributes });
    expect([call.input, call.output]).toEqual(['[{"content":"Hi"}]', '[{"content":"Hello"}]']);
    const lacking = readAttributes({
      'openinference.span.kind': 'LLM',
      ...attributes,
      'llm.input_messages.1.message.role': 'user',
    });
    expect(lacking.input).toBe('{"model":"gpt-4o"}');
    const chain = readAttributes({ 'openinference.span.kind': 'CHAIN', ...attributes });
    expect([chain.input, chain.output]).toEqual(['{"model":"gpt-4o"}', '{"id":"r1"}']);
    const alone = readAttributes({
      'openinference.span.kind': 'CHAIN',
      'llm.input_messages.0.message.role': 'user',
      'input.value': '',
    });
    expect(alone.input).toBe('[{"role":"user"}]');
  });

  test('text and tool calls of a response become one object', () => {
    const record = readAttributes({ 'ai.response.text': 'Let me see.', 'ai.response.toolCalls': '[{"toolName":"weather"}]' });
    expect(JSON.parse(record.output)).toEqual({ text: 'Let me see.', toolCalls: [{ toolName: 'weather' }] });
    expect(readAttributes({ 'ai.response.text': '', 'ai.response.toolCalls': '[1]' }).output).toBe('[1]');
  });
});

test('attributes of the span have precedence over those of its resource', () => {
  const resource = { 'deployment.environment.name': 'production', 'service.name': 'shop', 'service.version': '1.2.3' };
  expect(readAttributes({}, { resource })).toMatchObject({ environment: 'production', service: 'shop', release: '1.2.3' });
  expect(readAttributes({ 'deployment.environment': 'staging' }, { resource })).toMatchObject({ environment: 'staging' });
});

test('metadata is merged from the attributes of all conventions', () => {
  const record = readAttributes({
    'traceloop.association.properties.tier': 'gold',
    'langsmith.metadata.n': 3,
    metadata: '{"tier":"silver","deep":{"a":[1]}}',
    'session.id': 's',
  });
  expect(JSON.parse(record.metadata)).toEqual({ tier: 'gold', n: 3, deep: { a: [1] } });
});

test('extra holds what has no column, without empty members', () => {
  const record = readAttributes(
    {},
    {
      resource: { 'service.name': 'shop' },
      events: [{ name: 'retry', attributes: { attempt: 2 } }],
      traceState: 'a=b',
      links: [{ traceId: '5b8efff798038103d269b633813fc60c', spanId: 'eee19b7ec3c1b174' }],
    },
  );
  expect(JSON.parse(record.extra)).toEqual({
    resource: { 'service.name': 'shop' },
    scope: { name: 'test' },
    events: [{ name: 'retry', timeUnixNano: expect.any(String), attributes: { attempt: 2 } }],
    links: [{ traceId: '5b8efff798038103d269b633813fc60c', spanId: 'eee19b7ec3c1b174' }],
    traceState: 'a=b',
  });
});

describe('evaluation events', () => {
  const name = 'gen_ai.evaluation.name';
  const value = 'gen_ai.evaluation.score.value';
  const label = 'gen_ai.evaluation.score.label';

  test.each([
    ['a number', { [name]: 'tone', [value]: -0.5 }, { score: -0.5, passed: null, label: '' }],
    ['a text', { [name]: 'tone', [value]: '0.25', [label]: 'good' }, { score: 0.25, passed: null, label: 'good' }],
    ['a boolean', { [name]: 'tone', [value]: true, [label]: 'Failed' }, { score: 1, passed: false, label: 'Failed' }],
    ['a label of pass or fail alone', { [name]: 'tone', [label]: 'pass' }, { score: 1, passed: true }],
    ['another label alone', { [name]: 'tone', [label]: 'good' }, { score: NaN, passed: null, label: 'good' }],
  ])('with %s give scores', (_what, attributes, expected) => {
    expect(readScores([attributes])).toEqual([expect.objectContaining({ evaluator: 'tone', ...expected })]);
  });

  test.each([{ [value]: 1 }, { [name]: '', [value]: 1 }, { [name]: 'tone' }, { [name]: 'tone', [value]: NaN }])(
    'without a name or a score give none: %o',
    (attributes) => {
      expect(readScores([attributes])).toEqual([]);
    },
  );

  test('with equal attributes give separate scores', () => {
    const scores = readScores([
      { [name]: 'tone', [value]: 1 },
      { [name]: 'tone', [value]: 1 },
    ]);
    expect(new Set(scores.map((score) => score.scoreId)).size).toBe(2);
  });
});

describe('the tool of a span', () => {
  const inOrder = [
    'gen_ai.tool.name',
    'tool.name',
    'ai.toolCall.name',
    'lk.pii.function_tool.name',
    'lk.function_tool.name',
    'flue.tool.name',
    'traceloop.entity.name',
    'tool_name',
  ];
  const named = (kind: string, names: readonly string[]) =>
    readAttributes({ 'openinference.span.kind': kind, ...Object.fromEntries(names.map((name) => [name, name])) }).toolName;

  test('is named by the first of these attributes', () => {
    for (const [index, name] of inOrder.entries()) expect(named('TOOL', inOrder.slice(index))).toBe(name);
  });

  test('is empty without one, and for a span of another kind', () => {
    expect([named('TOOL', []), named('CHAIN', inOrder)]).toEqual(['', '']);
  });
});

test.each([
  ['gen_ai.response.model', 'model'],
  ['gen_ai.request.model', 'model'],
  ['user.id', 'userId'],
  ['session.id', 'sessionId'],
  ['gen_ai.agent.name', 'agentName'],
] as const)('%s is kept as it is up to the length that a native event may have', (attribute, field) => {
  const read = (value: string) => readAttributes({ 'gen_ai.operation.name': 'chat', [attribute]: value })[field];
  const longest = 'm'.repeat(4_096);
  expect(read(longest)).toBe(longest);
  expect(read(`${longest}n`)).toBe(longest);
});
