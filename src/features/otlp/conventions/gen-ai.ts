import type { SpanKind } from '../../../contract/kinds.ts';
import { amount, label, seconds, tokens, tokensIn } from '../mapping/attribute-readers.ts';
import type { Convention } from '../mapping/convention.ts';
import { inputEvents, outputEvents } from '../mapping/message-events.ts';
import { numbered } from '../mapping/numbered-attributes.ts';
import { payload } from '../mapping/payload-json.ts';
import { providerName } from '../mapping/provider-name.ts';

/** The kind of each `gen_ai.operation.name`; other operations determine no kind. */
const operationKinds: ReadonlyMap<unknown, SpanKind> = new Map<unknown, SpanKind>([
  ['chat', 'llm'],
  ['text_completion', 'llm'],
  ['completion', 'llm'],
  ['generate_content', 'llm'],
  ['embeddings', 'embedding'],
  ['embedding', 'embedding'],
  ['execute_tool', 'tool'],
  ['invoke_agent', 'agent'],
  ['create_agent', 'agent'],
  ['invoke_workflow', 'chain'],
  ['agent_step', 'chain'],
  ['retrieval', 'retriever'],
  ['search_memory', 'retriever'],
  ['rerank', 'retriever'],
  ['evaluate', 'evaluator'],
]);

const inputDetails = 'gen_ai.usage.input_token_details';
const outputDetails = 'gen_ai.usage.output_token_details';

/** OpenTelemetry's conventions for generative AI: current names, names of earlier versions, and additions of instrumentations. */
export const convention: Convention = {
  name: 'gen_ai',
  fields: {
    kind: {
      'gen_ai.operation.name': (value) => operationKinds.get(value),
      'gen_ai.tool.name': (value) => (value === '' ? undefined : 'tool'),
    },
    toolName: { 'gen_ai.tool.name': label },
    operation: { 'gen_ai.operation.name': label },
    requestModel: { 'gen_ai.request.model': label },
    responseModel: { 'gen_ai.response.model': label },
    responseId: { 'gen_ai.response.id': label },
    provider: { 'gen_ai.provider.name': providerName, 'gen_ai.system': providerName },
    agentName: { 'gen_ai.agent.name': label },
    input: {
      'gen_ai.input.messages': payload,
      'gen_ai.tool.call.arguments': payload,
      'gen_ai.prompt': payload,
      'gen_ai.retrieval.query.text': payload,
      'gen_ai.prompt.*': numbered('gen_ai.prompt.'),
      '(events)': inputEvents,
    },
    systemInstructions: { 'gen_ai.system_instructions': payload },
    output: {
      'gen_ai.output.messages': payload,
      'gen_ai.tool.call.result': payload,
      'gen_ai.completion': payload,
      'gen_ai.retrieval.documents': payload,
      'gen_ai.completion.*': numbered('gen_ai.completion.'),
      '(events)': outputEvents,
    },
    inputTokens: { 'gen_ai.usage.input_tokens': tokens, 'gen_ai.usage.prompt_tokens': tokens },
    outputTokens: { 'gen_ai.usage.output_tokens': tokens, 'gen_ai.usage.completion_tokens': tokens },
    cachedTokens: {
      'gen_ai.usage.cache_read.input_tokens': tokens,
      'gen_ai.usage.cache_read_input_tokens': tokens,
      'gen_ai.usage.details.cache_read_tokens': tokens,
      [inputDetails]: tokensIn(['cache_read'], ['cached_tokens']),
      [`${inputDetails}.cache_read`]: tokens,
    },
    cacheWriteTokens: {
      'gen_ai.usage.cache_write.input_tokens': tokens,
      'gen_ai.usage.cache_creation.input_tokens': tokens,
      'gen_ai.usage.cache_creation_input_tokens': tokens,
      'gen_ai.usage.details.cache_write_tokens': tokens,
      [inputDetails]: tokensIn(['cache_creation'], ['cache_write']),
      [`${inputDetails}.cache_creation`]: tokens,
    },
    reasoningTokens: {
      'gen_ai.usage.reasoning.output_tokens': tokens,
      'gen_ai.usage.reasoning_tokens': tokens,
      'gen_ai.usage.details.reasoning_tokens': tokens,
      'gen_ai.usage.completion_tokens_details.reasoning': tokens,
      [outputDetails]: tokensIn(['reasoning'], ['reasoning_tokens']),
      [`${outputDetails}.reasoning`]: tokens,
    },
    costUsd: { 'gen_ai.usage.cost': amount },
    timeToFirstTokenMs: {
      'gen_ai.response.time_to_first_chunk': seconds,
      'gen_ai.client.operation.time_to_first_chunk': seconds,
      'gen_ai.server.time_to_first_token': seconds,
    },
    sessionId: { 'gen_ai.conversation.id': label },
    userId: { 'gen_ai.user.id': label },
    promptName: { 'gen_ai.prompt.name': label },
  },
};
