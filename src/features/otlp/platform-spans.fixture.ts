import type { ClientSpan } from './read-attributes.fixture.ts';

const json = (value: unknown): string => JSON.stringify(value);

/** Spans of the SDKs of platforms. */
export const platformSpans: readonly ClientSpan[] = [
  {
    client: 'LangWatch, a call',
    attributes: {
      'langwatch.span.type': 'llm',
      'gen_ai.request.model': 'gpt-4o',
      'langwatch.input': json({ type: 'chat_messages', value: [{ role: 'user', content: 'Hi' }] }),
      'langwatch.output': json({ type: 'text', value: 'Sunny.' }),
      'langwatch.metrics': json({ type: 'json', value: { promptTokens: 1200, completionTokens: 85, cost: 0.5 } }),
      'langwatch.user.id': 'u1',
      'langwatch.thread.id': 's1',
      'langwatch.labels': json(['beta', 'eu']),
    },
    fields: {
      kind: 'llm',
      input: [{ role: 'user', content: 'Hi' }],
      output: 'Sunny.',
      inputTokens: 1200,
      outputTokens: 85,
      costUsd: 0.5,
      costStatus: 'provided',
      userId: 'u1',
      sessionId: 's1',
      tags: ['beta', 'eu'],
    },
  },
  {
    client: 'LangWatch, a retrieval',
    attributes: {
      'langwatch.span.type': 'rag',
      'langwatch.contexts': json({ type: 'json', value: [{ document_id: 'd', content: 'Rome' }] }),
      'langwatch.metrics': json({ promptTokens: 7 }),
    },
    fields: { kind: 'retriever', output: [{ document_id: 'd', content: 'Rome' }], inputTokens: 7 },
  },
  ...(
    [
      ['agent', 'agent'],
      ['tool', 'tool'],
      ['chain', 'chain'],
      ['guardrail', 'guardrail'],
      ['evaluation', 'evaluator'],
    ] as const
  ).map(([type, kind]) => ({ client: `LangWatch, type ${type}`, attributes: { 'langwatch.span.type': type }, fields: { kind } })),
  {
    client: 'Laminar, a call',
    attributes: {
      'lmnr.span.type': 'LLM',
      'lmnr.span.input': json([{ role: 'user', content: 'Hi' }]),
      'lmnr.span.output': 'Sunny.',
      'lmnr.association.properties.session_id': 's1',
      'lmnr.association.properties.user_id': 'u1',
      'lmnr.association.properties.tags': ['beta', 'eu'],
      'lmnr.association.properties.metadata.tier': 'gold',
    },
    fields: {
      kind: 'llm',
      input: [{ role: 'user', content: 'Hi' }],
      output: 'Sunny.',
      sessionId: 's1',
      userId: 'u1',
      tags: ['beta', 'eu'],
      metadata: { tier: 'gold' },
    },
  },
  {
    client: 'Laminar, a tool',
    attributes: { 'lmnr.span.type': 'TOOL', 'lmnr.span.input': '["Rome"]', 'lmnr.span.output': '"Sunny."' },
    fields: { kind: 'tool', input: ['Rome'], output: 'Sunny.' },
  },
  { client: 'Laminar, a function', attributes: { 'lmnr.span.type': 'DEFAULT' }, fields: { kind: 'span' } },
  {
    client: 'Sentry, a call',
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.messages': json([{ role: 'user', content: 'Hi' }]),
      'gen_ai.response.text': 'Let me see.',
      'gen_ai.response.tool_calls': json([{ id: 'c1', type: 'function', function: { name: 'forecast', arguments: '{}' } }]),
      'gen_ai.usage.input_tokens': 1200,
      'gen_ai.usage.input_tokens.cached': 1024,
      'gen_ai.usage.output_tokens': 85,
      'gen_ai.usage.output_tokens.reasoning': 32,
      'gen_ai.cost.total_tokens': 0.25,
    },
    fields: {
      kind: 'llm',
      input: [{ role: 'user', content: 'Hi' }],
      output: {
        role: 'assistant',
        content: 'Let me see.',
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'forecast', arguments: '{}' } }],
      },
      inputTokens: 1200,
      cachedTokens: 1024,
      outputTokens: 85,
      reasoningTokens: 32,
      costUsd: 0.25,
    },
  },
  {
    client: 'Sentry, tool calls without a text',
    attributes: { 'gen_ai.response.text': '[""]', 'gen_ai.response.tool_calls': '[{"id":"c1"}]' },
    fields: { output: [{ id: 'c1' }] },
  },
  {
    client: 'Sentry, a text',
    attributes: { 'gen_ai.response.text': '["Sunny."]' },
    fields: { output: 'Sunny.' },
  },
  {
    client: 'Sentry, embeddings',
    attributes: { 'gen_ai.operation.name': 'embeddings', 'gen_ai.embeddings.input': 'Rome' },
    fields: { kind: 'embedding', input: 'Rome' },
  },
  {
    client: 'Sentry, a tool',
    attributes: { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.input': '{"a":1}', 'gen_ai.tool.output': 'Sunny.' },
    fields: { kind: 'tool', input: { a: 1 }, output: 'Sunny.' },
  },
  {
    client: 'LiteLLM',
    attributes: {
      'gen_ai.request.model': 'gpt-4o',
      'gen_ai.usage.input_tokens': 12,
      'gen_ai.cost.total_cost': 0.5,
      'metadata.user_api_key_end_user_id': 'u1',
      'metadata.requester_metadata': json({ tier: 'gold' }),
    },
    fields: { costUsd: 0.5, costStatus: 'provided', userId: 'u1', metadata: { tier: 'gold' } },
  },
  {
    client: 'Langfuse, earlier names',
    attributes: {
      'langfuse.observation.type': 'span',
      'langfuse.observation.model.name': 'gpt-4o',
      'langfuse.tags': ['beta', 'eu'],
      'langfuse.metadata.tier': 'gold',
      'langfuse.prompt.name': 'greeting',
      'langfuse.prompt.version': 3,
      'langfuse.trace.metadata.langfuse_session_id': 's1',
      'langfuse.trace.metadata.langfuse_user_id': 'u1',
    },
    fields: {
      kind: 'llm',
      model: 'gpt-4o',
      tags: ['beta', 'eu'],
      metadata: { tier: 'gold', langfuse_session_id: 's1', langfuse_user_id: 'u1' },
      promptName: 'greeting',
      promptVersion: '3',
      sessionId: 's1',
      userId: 'u1',
    },
  },
  {
    client: 'Langfuse, tags in the metadata of the trace',
    attributes: { 'langfuse.observation.type': 'span', 'langfuse.trace.metadata.langfuse_tags': json(['beta']) },
    fields: { kind: 'span', tags: ['beta'] },
  },
  ...['ERROR', 'FATAL', 'CRITICAL'].map((level) => ({
    client: `Langfuse, level ${level}`,
    attributes: { 'langfuse.observation.level': level, 'langfuse.observation.status_message': '429 slow down' },
    fields: { status: 'error', errorCode: '429', errorMessage: '429 slow down' },
  })),
];
