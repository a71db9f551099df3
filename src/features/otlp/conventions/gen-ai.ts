import type { SpanKind } from '../../../contract/kinds.ts';
import { isRecord } from '../../../platform/json/index.ts';
import { amount, label, tokens, tokensIn } from '../readers/attribute-readers.ts';
import { firstTokenTime } from '../readers/first-token-time.ts';
import { classReader } from '../readers/token-classes.ts';
import type { Convention, Reader } from '../readers/convention.ts';
import { inputEvents, outputEvents } from '../readers/message-events.ts';
import { numbered } from '../readers/numbered-attributes.ts';
import { payload } from '../readers/payload-json.ts';
import { providerName } from '../readers/provider-name.ts';
import type { SpanView } from '../readers/span-view.ts';

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
  // Only makes the agent.
  ['create_agent', 'span'],
  ['invoke_workflow', 'chain'],
  ['agent_step', 'chain'],
  ['retrieval', 'retriever'],
  ['search_memory', 'retriever'],
  ['rerank', 'retriever'],
  ['evaluate', 'evaluator'],
]);

const inputDetails = 'gen_ai.usage.input_token_details';
const outputDetails = 'gen_ai.usage.output_token_details';

/** OpenLIT reports the nodes of a graph of LangGraph as agents. */
function isGraphNode({ scopeName }: SpanView): boolean {
  return scopeName.includes('openlit') && scopeName.includes('langgraph');
}

/** Reads the name of an agent. A node of a graph is none, and `OpenAI Agent` is what an instrumentation writes where it knows no name. */
const agentName: Reader<string> = (value, span) =>
  isGraphNode(span) || (value === 'OpenAI Agent' && /openai[._-]agents/.test(span.scopeName)) ? undefined : label(value, span);

/** Reads the messages of an output, unless they are empty and older attributes have the answer. */
const outputMessages: Reader<string> = (value, span) => {
  const found = payload(value, span);
  if (found === undefined || !emptyParts.test(found) || span.numbered('gen_ai.completion.').length === 0) return found;
  const messages = span.json(found);
  const isEmpty = (message: unknown) => isRecord(message) && Array.isArray(message['parts']) && message['parts'].length === 0;
  return Array.isArray(messages) && messages.every(isEmpty) ? undefined : found;
};

const emptyParts = /"parts":\s*\[\s*\]/;

/** OpenTelemetry's conventions for generative AI: current names, names of earlier versions, and additions of instrumentations. */
export const convention: Convention = {
  name: 'gen_ai',
  fields: {
    kind: {
      'gen_ai.operation.name': (value, span) =>
        value === 'invoke_agent' && isGraphNode(span) ? 'chain' : operationKinds.get(value),
      'gen_ai.tool.name': (value) => (value === '' ? undefined : 'tool'),
    },
    toolName: { 'gen_ai.tool.name': label },
    operation: { 'gen_ai.operation.name': label },
    requestModel: { 'gen_ai.request.model': label },
    responseModel: { 'gen_ai.response.model': label },
    responseId: { 'gen_ai.response.id': label },
    provider: { 'gen_ai.provider.name': providerName, 'gen_ai.system': providerName },
    agentName: { 'gen_ai.agent.name': agentName },
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
      'gen_ai.output.messages': outputMessages,
      'gen_ai.tool.call.result': payload,
      'gen_ai.completion': payload,
      'gen_ai.retrieval.documents': payload,
      'gen_ai.completion.*': numbered('gen_ai.completion.'),
      '(events)': outputEvents,
    },
    inputTokens: { 'gen_ai.usage.input_tokens': tokens, 'gen_ai.usage.prompt_tokens': tokens },
    outputTokens: { 'gen_ai.usage.output_tokens': tokens, 'gen_ai.usage.completion_tokens': tokens },
    tokenClasses: {
      'gen_ai.usage.details.input_audio_tokens': classReader('inputAudio'),
      'gen_ai.usage.details.output_audio_tokens': classReader('outputAudio'),
      'gen_ai.usage.details.cache_audio_read_tokens': classReader('cachedAudio'),
    },
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
    totalTokens: { 'gen_ai.usage.total_tokens': tokens },
    costUsd: { 'gen_ai.usage.cost': amount },
    timeToFirstTokenMs: {
      'gen_ai.response.time_to_first_chunk': firstTokenTime,
      'gen_ai.client.operation.time_to_first_chunk': firstTokenTime,
      'gen_ai.server.time_to_first_token': firstTokenTime,
    },
    sessionId: { 'gen_ai.conversation.id': label },
    userId: { 'gen_ai.user.id': label },
    promptName: { 'gen_ai.prompt.name': label },
  },
};
