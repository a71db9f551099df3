import type { ClientSpan } from './read-attributes.fixture.ts';

const json = (value: unknown): string => JSON.stringify(value);
const genkitUsage = { inputTokens: 1200, outputTokens: 85, totalTokens: 1317, cachedContentTokens: 1024, thoughtsTokens: 32 };
const gemini = { promptTokenCount: 1200, candidatesTokenCount: 85, cachedContentTokenCount: 1024, thoughtsTokenCount: 32 };

const genkit: ClientSpan[] = [
  {
    client: 'Genkit, a model',
    attributes: {
      'genkit:type': 'action',
      'genkit:metadata:subtype': 'model',
      'genkit:name': 'googleai/gemini-2.5-flash',
      'genkit:input': json({ messages: [{ role: 'user', content: [{ text: 'Hi' }] }] }),
      'genkit:output': json({ message: { role: 'model', content: [{ text: 'Sunny.' }] }, usage: genkitUsage }),
      'genkit:sessionId': 's1',
    },
    fields: {
      kind: 'llm',
      provider: 'googleai',
      model: 'gemini-2.5-flash',
      input: { messages: [{ role: 'user', content: [{ text: 'Hi' }] }] },
      output: { role: 'model', content: [{ text: 'Sunny.' }] },
      inputTokens: 1200,
      outputTokens: 117,
      cachedTokens: 1024,
      reasoningTokens: 32,
      sessionId: 's1',
    },
  },
  {
    client: 'Genkit, thoughts inside the output',
    attributes: {
      'genkit:metadata:subtype': 'model',
      'genkit:name': 'openai/gpt-4o',
      'genkit:output': json({ usage: { inputTokens: 1200, outputTokens: 85, totalTokens: 1285, thoughtsTokens: 32 } }),
    },
    fields: { provider: 'openai', model: 'gpt-4o', outputTokens: 85, reasoningTokens: 32 },
  },
  {
    client: 'Genkit, an embedder',
    attributes: { 'genkit:metadata:subtype': 'embedder', 'genkit:name': 'openai/text-embedding-3-small' },
    fields: { kind: 'embedding', provider: 'openai', model: 'text-embedding-3-small' },
  },
  {
    client: 'Genkit, a flow',
    attributes: { 'genkit:metadata:subtype': 'flow', 'genkit:name': 'menu', 'genkit:input': '"Rome"', 'genkit:output': '7' },
    fields: { kind: 'chain', model: '', provider: '', input: 'Rome', output: 7 },
  },
  ...(
    [
      ['tool', 'tool'],
      ['retriever', 'retriever'],
      ['action', 'chain'],
      ['agent', 'agent'],
    ] as const
  ).map(([subtype, kind]) => ({
    client: `Genkit, subtype ${subtype}`,
    attributes: { 'genkit:metadata:subtype': subtype, 'genkit:name': 'menu', 'genkit:input': '{"a":1}', 'genkit:output': '"b"' },
    fields: { kind, model: '', provider: '', input: { a: 1 }, output: 'b' },
  })),
];

const agents: ClientSpan[] = [
  {
    client: 'VoltAgent, a call',
    attributes: {
      'span.type': 'llm',
      'entity.type': 'agent',
      'entity.name': 'weather',
      'llm.model': 'gpt-4o',
      'llm.messages': json([{ role: 'user', content: 'Hi' }]),
      'llm.usage.prompt_tokens': 1200,
      'llm.usage.completion_tokens': 85,
      'llm.usage.total_tokens': 1285,
      'llm.usage.cached_tokens': 1024,
      'llm.usage.reasoning_tokens': 32,
      'conversation.id': 's1',
      'user.id': 'u1',
      output: 'Sunny.',
    },
    fields: {
      kind: 'llm',
      model: 'gpt-4o',
      agentName: 'weather',
      input: [{ role: 'user', content: 'Hi' }],
      output: 'Sunny.',
      inputTokens: 1200,
      outputTokens: 85,
      cachedTokens: 1024,
      reasoningTokens: 32,
      sessionId: 's1',
      userId: 'u1',
    },
  },
  {
    client: 'VoltAgent, the agent',
    attributes: {
      'entity.type': 'agent',
      'entity.name': 'weather',
      'voltagent.conversation_id': 's1',
      input: 'Hi',
      output: 'Sunny.',
    },
    fields: { kind: 'agent', agentName: 'weather', sessionId: 's1', input: 'Hi', output: 'Sunny.' },
  },
  ...(['agent', 'tool', 'retriever', 'memory'] as const).map((type) => ({
    client: `VoltAgent, type ${type}`,
    attributes: { 'span.type': type, 'entity.type': 'agent', 'entity.name': 'weather' },
    fields: { kind: type === 'memory' ? 'span' : type, agentName: 'weather' },
  })),
  {
    client: 'Google ADK, a call',
    attributes: {
      'gen_ai.system': 'gcp.vertex.agent',
      'gen_ai.request.model': 'gemini-2.5-flash',
      'gen_ai.usage.input_tokens': 1200,
      'gen_ai.usage.output_tokens': 85,
      'gcp.vertex.agent.llm_request': json({ model: 'gemini-2.5-flash', contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] }),
      'gcp.vertex.agent.llm_response': json({ content: { role: 'model', parts: [{ text: 'Sunny.' }] }, usageMetadata: gemini }),
      'gcp.vertex.agent.tool_call_args': 'N/A',
      'gcp.vertex.agent.session_id': 's1',
      'gcp.vertex.agent.invocation_id': 'e-1',
    },
    fields: {
      kind: 'llm',
      input: { model: 'gemini-2.5-flash', contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] },
      output: { content: { role: 'model', parts: [{ text: 'Sunny.' }] }, usageMetadata: gemini },
      inputTokens: 1200,
      outputTokens: 117,
      cachedTokens: 1024,
      reasoningTokens: 32,
      sessionId: 's1',
      metadata: { invocation_id: 'e-1' },
    },
  },
  {
    client: 'Google ADK for Python, with thoughts in the output',
    attributes: {
      'gen_ai.request.model': 'gemini-2.5-flash',
      'gen_ai.usage.output_tokens': 117,
      'gcp.vertex.agent.llm_response': json({
        usage_metadata: { prompt_token_count: 1200, candidates_token_count: 85, thoughts_token_count: 32 },
      }),
    },
    fields: { inputTokens: 1200, outputTokens: 117, reasoningTokens: 32 },
  },
  {
    client: 'Google ADK, a tool',
    attributes: {
      'gen_ai.operation.name': 'execute_tool',
      'gcp.vertex.agent.llm_request': '{}',
      'gcp.vertex.agent.llm_response': '{}',
      'gcp.vertex.agent.tool_call_args': json({ city: 'Rome' }),
      'gcp.vertex.agent.tool_response': json({ result: 'Sunny.' }),
    },
    fields: { kind: 'tool', input: { city: 'Rome' }, output: { result: 'Sunny.' } },
  },
  {
    client: 'Mastra, a call',
    attributes: {
      'mastra.span.type': 'model_generation',
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai.chat',
      'gen_ai.request.model': 'gpt-4o',
      'mastra.model_generation.input': json({ messages: [{ role: 'user', content: 'Hi' }] }),
      'mastra.model_generation.output': json({ text: 'Sunny.' }),
      'mastra.metadata.userId': 'u1',
      'mastra.metadata.threadId': 's1',
      'mastra.metadata.tier': 'gold',
      'mastra.tags': json(['beta', 'eu']),
      'mastra.completion_start_time': '2026-11-21T10:00:00.300Z',
    },
    fields: {
      kind: 'llm',
      provider: 'openai',
      input: { messages: [{ role: 'user', content: 'Hi' }] },
      output: { text: 'Sunny.' },
      userId: 'u1',
      sessionId: 's1',
      metadata: { tier: 'gold' },
      tags: ['beta', 'eu'],
      timeToFirstTokenMs: 300,
    },
  },
  ...(
    [
      ['agent_run', 'agent'],
      ['model_inference', 'llm'],
      ['tool_call', 'tool'],
      ['mcp_tool_call', 'tool'],
      ['workflow_run', 'chain'],
      ['workflow_step', 'chain'],
    ] as const
  ).map(([type, kind]) => ({
    client: `Mastra, type ${type}`,
    attributes: { 'mastra.span.type': type, [`mastra.${type}.input`]: '{"a":1}', [`mastra.${type}.output`]: 'b' },
    fields: { kind, input: { a: 1 }, output: 'b' },
  })),
  {
    client: 'Mastra, a session',
    attributes: { 'mastra.span.type': 'agent_run', 'mastra.metadata.sessionId': 's1', 'mastra.metadata.threadId': 't1' },
    fields: { kind: 'agent', sessionId: 's1' },
  },
  {
    client: 'LiveKit, a call',
    parts: { scopeName: 'livekit-agents', name: 'llm_node' },
    attributes: {
      'lk.pii.chat_ctx': json({ items: [{ type: 'message', role: 'user', content: ['Hi'] }] }),
      'lk.response.text': 'Sunny.',
      'lk.response.ttft': 0.25,
      'lk.agent_name': 'weather',
    },
    fields: {
      kind: 'llm',
      agentName: 'weather',
      input: { items: [{ type: 'message', role: 'user', content: ['Hi'] }] },
      output: 'Sunny.',
      timeToFirstTokenMs: 250,
    },
  },
  {
    client: 'LiveKit, a turn',
    parts: { scopeName: 'livekit-agents', name: 'agent_turn' },
    attributes: { 'lk.user_input': 'Hi', 'lk.pii.response.text': 'Sunny.' },
    fields: { kind: 'agent', input: 'Hi', output: 'Sunny.' },
  },
  {
    client: 'LiveKit, a tool',
    parts: { scopeName: 'livekit-agents', name: 'function_tool' },
    attributes: {
      'lk.function_tool.name': 'forecast',
      'lk.function_tool.arguments': '{"a":1}',
      'lk.function_tool.output': 'Sunny.',
    },
    fields: { kind: 'tool', name: 'forecast', input: { a: 1 }, output: 'Sunny.' },
  },
  {
    client: 'LiveKit, a tool, personal data marked',
    parts: { scopeName: 'livekit-agents', name: 'function_tool' },
    attributes: { 'lk.pii.function_tool.arguments': '{"a":1}', 'lk.pii.function_tool.output': 'Sunny.' },
    fields: { kind: 'tool', input: { a: 1 }, output: 'Sunny.' },
  },
  ...['tts_node', 'stt_node'].map((name) => ({
    client: `LiveKit, ${name}`,
    parts: { scopeName: 'livekit-agents', name },
    attributes: { 'gen_ai.request.model': 'sonic-2' },
    fields: { kind: 'span' },
  })),
  {
    client: 'Flue, a tool',
    attributes: { 'flue.tool.name': 'forecast', 'flue.tool.arguments': '{"a":1}', 'flue.tool.result': 'Sunny.' },
    fields: { kind: 'tool', name: 'forecast', input: { a: 1 }, output: 'Sunny.' },
  },
];

/** Spans of frameworks for agents. */
export const agentSpans: readonly ClientSpan[] = [...genkit, ...agents];
