import { agentSpans } from './agent-spans.fixture.ts';
import { platformSpans } from './platform-spans.fixture.ts';
import type { ClientSpan } from './read-attributes.fixture.ts';

const json = (value: unknown): string => JSON.stringify(value);
const agentMetadata = { ls_integration: 'langchain_create_agent', lc_agent_name: 'weather', user_id: 'u1', thread_id: 's1' };

const langchain: ClientSpan[] = [
  {
    client: 'LangChain by OpenInference, an agent',
    parts: { name: 'weather' },
    attributes: { 'openinference.span.kind': 'CHAIN', metadata: json(agentMetadata) },
    fields: { kind: 'agent', agentName: 'weather', userId: 'u1', sessionId: 's1', metadata: agentMetadata },
  },
  {
    client: 'LangChain by OpenInference, a step of the agent',
    parts: { name: 'model_request' },
    attributes: { 'openinference.span.kind': 'CHAIN', metadata: json(agentMetadata) },
    fields: { kind: 'chain', agentName: 'weather' },
  },
  {
    client: 'LangChain by OpenInference, a call of the agent',
    parts: { name: 'weather' },
    attributes: { 'openinference.span.kind': 'LLM', metadata: json({ ...agentMetadata, ls_provider: 'openai' }) },
    fields: { kind: 'llm', agentName: 'weather', provider: 'openai' },
  },
  {
    client: 'LangChain by OpenInference, an agent without a name',
    parts: { name: 'LangGraph' },
    attributes: { 'openinference.span.kind': 'CHAIN', metadata: json({ ls_integration: 'langchain_create_agent' }) },
    fields: { kind: 'agent', agentName: '' },
  },
  {
    client: 'LangChain by OpenInference, a step of an agent without a name',
    attributes: { metadata: json({ ls_integration: 'langchain_create_agent', langgraph_node: 'tools' }) },
    fields: { kind: 'span' },
  },
  ...(
    [
      ['Langfuse', 'langfuse.observation.metadata.', 'langfuse.observation.type', 'span'],
      ['LangSmith', 'langsmith.metadata.', 'langsmith.span.kind', 'chain'],
    ] as const
  ).map(([client, prefix, kind, chain]) => ({
    client: `LangChain by ${client}`,
    parts: { name: 'weather' },
    attributes: {
      [kind]: chain,
      ...Object.fromEntries(
        Object.entries({ ...agentMetadata, ls_provider: 'openai' }).map(([name, value]) => [prefix + name, value]),
      ),
    },
    fields: { kind: 'agent', agentName: 'weather', userId: 'u1', sessionId: 's1', provider: 'openai' },
  })),
  ...(['session_id', 'thread_id', 'conversation_id'] as const).flatMap((name) => [
    { client: `LangChain, metadata.${name}`, attributes: { metadata: json({ [name]: 's1' }) }, fields: { sessionId: 's1' } },
    {
      client: `LangChain, Langfuse's ${name}`,
      attributes: { [`langfuse.observation.metadata.${name}`]: 's1' },
      fields: { sessionId: 's1' },
    },
    {
      client: `LangChain, LangSmith's ${name}`,
      attributes: { [`langsmith.metadata.${name}`]: 's1' },
      fields: { sessionId: 's1' },
    },
  ]),
];

const instrumentations: ClientSpan[] = [
  {
    client: 'AI SDK, a tool',
    parts: { name: 'ai.toolCall' },
    attributes: {
      'ai.operationId': 'ai.toolCall',
      'ai.toolCall.name': 'forecast',
      'ai.settings.context.sessionId': 's1',
      'ai.settings.context.userId': 'u1',
      'ai.settings.context.tags': ['beta'],
      'ai.settings.context.tier': 'gold',
    },
    fields: { kind: 'tool', name: 'forecast', sessionId: 's1', userId: 'u1', tags: ['beta'], metadata: { tier: 'gold' } },
  },
  {
    client: 'AI SDK 7, a tool',
    parts: { name: 'execute_tool forecast' },
    attributes: { 'ai.toolCall.name': 'forecast' },
    fields: { name: 'execute_tool forecast' },
  },
  {
    client: 'AI SDK, the operation alone',
    attributes: { 'operation.name': 'ai.embed.doEmbed answer' },
    fields: { kind: 'embedding' },
  },
  { client: 'others with an operation', attributes: { 'operation.name': 'GET /' }, fields: { kind: 'span' } },
  ...['Be kind.', [{ type: 'text', text: 'Be kind.' }]].map((system) => ({
    client: `OpenInference, Anthropic, a system prompt as ${typeof system}`,
    attributes: {
      'openinference.span.kind': 'LLM',
      'llm.invocation_parameters': json({ model: 'claude-sonnet-4-5', max_tokens: 100, system }),
      'llm.input_messages.0.message.role': 'user',
      'llm.input_messages.0.message.content': 'w?',
    },
    fields: {
      input: [
        { role: 'system', parts: [{ type: 'text', content: 'Be kind.' }] },
        { role: 'user', content: 'w?' },
      ],
    },
  })),
  {
    client: 'Logfire, a template',
    parts: { name: 'Hello {name}' },
    attributes: { 'logfire.msg_template': 'Hello {name}', 'logfire.msg': 'Hello Ada', 'logfire.tags': ['x', 'y'] },
    fields: { name: 'Hello Ada', tags: ['x', 'y'] },
  },
  {
    client: 'Logfire, a name',
    parts: { name: 'chat gpt-4o' },
    attributes: { 'logfire.msg_template': 'chat gpt-4o', 'logfire.msg': 'chat gpt-4o with 2 messages' },
    fields: { name: 'chat gpt-4o' },
  },
  {
    client: 'Pydantic AI',
    attributes: {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.system_instructions': json([{ type: 'text', content: 'Be brief.' }]),
      'pydantic_ai.all_messages': json([{ role: 'user', parts: [{ type: 'text', content: 'Hi' }] }]),
    },
    fields: {
      kind: 'agent',
      input: [
        { role: 'system', parts: [{ type: 'text', content: 'Be brief.' }] },
        { role: 'user', parts: [{ type: 'text', content: 'Hi' }] },
      ],
    },
  },
  {
    client: 'OpenLLMetry, earlier names',
    attributes: {
      'llm.request.type': 'chat',
      'gen_ai.request.model': 'gpt-4o',
      'llm.usage.prompt_tokens': 1200,
      'llm.usage.total_tokens': 1285,
    },
    fields: { kind: 'llm', inputTokens: 1200, outputTokens: 85 },
  },
  {
    client: 'OpenLLMetry, earlier names of an embedding',
    attributes: { 'llm.request.type': 'embedding', 'llm.usage.total_tokens': 12 },
    fields: { kind: 'embedding', inputTokens: 12, outputTokens: null },
  },
  {
    client: 'OpenLLMetry, a vector store',
    attributes: { 'db.system': 'pinecone' },
    parts: {
      events: [
        { name: 'db.query.embeddings', attributes: { 'db.query.embeddings.vector': '[1]' } },
        { name: 'db.query.result', attributes: { 'db.query.result.id': 'd1', 'db.query.result.score': 0.5 } },
        { name: 'db.query.result', attributes: { 'db.query.result.id': 'd2', 'db.query.result.metadata': '{"a":1}' } },
      ],
    },
    fields: {
      kind: 'retriever',
      output: [
        { id: 'd1', score: 0.5 },
        { id: 'd2', metadata: { a: 1 } },
      ],
    },
  },
  { client: 'a database that is no vector store', attributes: { 'db.system': 'postgresql' }, fields: { kind: 'span' } },
  {
    client: 'OpenLIT',
    attributes: { 'gen_ai.operation.name': 'chat', 'gen_ai.request.user': 'u1', 'tag.tags': 'beta, eu' },
    fields: { userId: 'u1', tags: ['beta', 'eu'] },
  },
  ...([['beta', 'eu'], '["beta","eu"]'] as const).map((tags) => ({
    client: 'OpenInference, tags',
    attributes: { 'tag.tags': tags },
    fields: { tags: ['beta', 'eu'] },
  })),
  {
    client: 'OpenInference, a stream',
    attributes: { 'openinference.span.kind': 'LLM' },
    parts: { events: [{ name: 'First Token Stream Event', attributes: {} }] },
    fields: { timeToFirstTokenMs: 500 },
  },
  {
    client: 'Strands, a call',
    attributes: { 'gen_ai.operation.name': 'chat' },
    parts: {
      events: [
        { name: 'gen_ai.user.message', attributes: { content: json([{ text: 'Hi' }]) } },
        {
          name: 'gen_ai.choice',
          attributes: {
            finish_reason: 'tool_use',
            message: json([{ text: 'Let me see.' }, { toolUse: { toolUseId: 'c1', name: 'forecast', input: {} } }]),
          },
        },
      ],
    },
    fields: {
      input: [{ role: 'user', content: [{ text: 'Hi' }] }],
      output: [
        {
          role: 'assistant',
          content: [{ text: 'Let me see.' }, { toolUse: { toolUseId: 'c1', name: 'forecast', input: {} } }],
          finish_reason: 'tool_use',
        },
      ],
    },
  },
];

const spanwise: ClientSpan[] = [
  {
    client: "Spanwise's SDK for Python",
    parts: { name: 'answer', status: { code: 2, message: 'status_code: 429' } },
    attributes: {
      'spanwise.kind': 'llm',
      'spanwise.input': json('{"text": "no object"}'),
      'spanwise.output': json(''),
      'spanwise.metadata': json({ session_id: 'no session', plan: 'pro' }),
      'spanwise.tags': ['a', 'b'],
      'spanwise.error_code': 'Exception',
      'spanwise.time_to_first_token_ms': 12.5,
      'spanwise.prompt.name': 'greeting',
      'spanwise.prompt.version': 3,
      'gen_ai.response.model': 'gpt-4o',
      'session.id': 's1',
    },
    fields: {
      kind: 'llm',
      input: '{"text": "no object"}',
      output: '',
      metadata: { session_id: 'no session', plan: 'pro' },
      tags: ['a', 'b'],
      errorCode: 'Exception',
      errorMessage: 'status_code: 429',
      timeToFirstTokenMs: 12.5,
      promptName: 'greeting',
      promptVersion: '3',
      sessionId: 's1',
    },
  },
  {
    client: "Spanwise's SDK for Python, redacted",
    attributes: { 'spanwise.input': '[redaction failed]', 'spanwise.output': '[1, 2' },
    fields: { input: '[redaction failed]', output: '[1, 2', origin: 'application' },
  },
  {
    client: "Spanwise's SDK for Python, an evaluation",
    attributes: { 'spanwise.source': 'evaluation' },
    fields: { origin: 'evaluation' },
  },
  {
    client: 'others, a source that the service alone names',
    attributes: { 'spanwise.source': 'simulation' },
    fields: { origin: 'application' },
  },
];

export const clientSpans: readonly ClientSpan[] = [
  ...spanwise,
  ...agentSpans,
  ...platformSpans,
  ...langchain,
  ...instrumentations,
];
