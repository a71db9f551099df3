import type { SpanKind } from '../../../contract/kinds.ts';
import { isRecord } from '../../../platform/json/index.ts';
import { label, numberOf, record, tagList, tokens, tokensIn, tokensOf } from '../readers/attribute-readers.ts';
import type { Convention, Reader } from '../readers/convention.ts';
import { jsonListPayload, jsonPayload, payload } from '../readers/payload-json.ts';
import { providerName } from '../readers/provider-name.ts';
import { toolName } from '../readers/tool-name.ts';

/** The inner span is the call. The outer span may contain several calls, and is an agent. */
const operationKind: Reader<SpanKind> = (value) => {
  if (typeof value !== 'string') return undefined;
  if (/\.do(?:Generate|Stream)$/.test(value)) return 'llm';
  if (value.endsWith('.doEmbed')) return 'embedding';
  if (value.endsWith('.doRerank')) return 'retriever';
  if (value === 'ai.toolCall') return 'tool';
  if (/^ai\.(?:generate|stream)(?:Text|Object)$/.test(value)) return 'agent';
  return value.startsWith('ai.') ? 'chain' : undefined;
};

/** The operation with the id of the application's function: `ai.embed.doEmbed answer`. */
const operationName: Reader<SpanKind> = (value, span) =>
  typeof value === 'string' && value.startsWith('ai.') ? operationKind(value.split(' ', 1)[0] ?? '', span) : undefined;

/** Reads the output from up to three attributes. One of them alone is the output; several become an object. */
const response: Reader<string> = (_value, span) => {
  const members: [string, string][] = [];
  for (const name of ['text', 'toolCalls', 'object']) {
    const value = span.get(`ai.response.${name}`);
    const text = value === undefined ? undefined : payload(value, span);
    if (text !== undefined) members.push([name, text]);
  }
  const [first] = members;
  if (first === undefined) return undefined;
  return members.length === 1 ? first[1] : `{${members.map(([name, text]) => `"${name}":${text}`).join(',')}}`;
};

/**
 * Whether the input excludes cached tokens. Anthropic's input does, and version 5 of the SDK passes that number on; later versions add
 * the cached tokens. The recorded input is compared with the provider's usage.
 */
const cacheOutsideInput: Reader<boolean> = (value, span) => {
  const anthropic = record(value, span)?.['anthropic'];
  const usage = isRecord(anthropic) ? anthropic['usage'] : undefined;
  if (!isRecord(usage)) return undefined;
  const recorded = span.get('ai.usage.inputTokens') ?? span.get('ai.usage.promptTokens');
  return recorded !== undefined && tokensOf(usage['input_tokens']) === tokensOf(recorded);
};

/** The Vercel AI SDK up to version 6 (`ai.*`); version 7 writes `gen_ai.*`. */
export const convention: Convention = {
  name: 'vercel-ai',
  fields: {
    name: { 'ai.toolCall.name': toolName },
    toolName: { 'ai.toolCall.name': label },
    kind: { 'ai.operationId': operationKind, 'operation.name': operationName },
    operation: { 'ai.operationId': label },
    requestModel: { 'ai.model.id': label },
    responseModel: { 'ai.response.model': label },
    provider: { 'ai.model.provider': providerName },
    agentName: {
      'ai.telemetry.metadata.agentName': label,
      'ai.telemetry.functionId': (value, span) => (span.kind === 'agent' ? label(value, span) : undefined),
    },
    input: {
      'ai.prompt.messages': payload,
      'ai.prompt': payload,
      'ai.toolCall.args': jsonPayload,
      'ai.values': jsonListPayload,
      'ai.value': jsonPayload,
    },
    output: {
      'ai.response.text': response,
      'ai.response.toolCalls': response,
      'ai.response.object': response,
      'ai.toolCall.result': jsonPayload,
      'ai.embeddings': jsonListPayload,
      'ai.embedding': jsonPayload,
    },
    inputTokens: { 'ai.usage.inputTokens': tokens, 'ai.usage.promptTokens': tokens, 'ai.usage.tokens': tokens },
    outputTokens: { 'ai.usage.outputTokens': tokens, 'ai.usage.completionTokens': tokens },
    totalTokens: { 'ai.usage.totalTokens': tokens },
    cachedTokens: {
      'ai.usage.inputTokenDetails.cacheReadTokens': tokens,
      'ai.usage.cachedInputTokens': tokens,
      'ai.response.providerMetadata': tokensIn(
        ['openai', 'cachedPromptTokens'],
        ['azure', 'cachedPromptTokens'],
        ['anthropic', 'usage', 'cache_read_input_tokens'],
        ['anthropic', 'cacheReadInputTokens'],
        ['bedrock', 'usage', 'cacheReadInputTokens'],
      ),
    },
    cacheWriteTokens: {
      'ai.usage.inputTokenDetails.cacheWriteTokens': tokens,
      'ai.response.providerMetadata': tokensIn(
        ['anthropic', 'usage', 'cache_creation_input_tokens'],
        ['anthropic', 'cacheCreationInputTokens'],
        ['bedrock', 'usage', 'cacheWriteInputTokens'],
      ),
    },
    reasoningTokens: {
      'ai.usage.outputTokenDetails.reasoningTokens': tokens,
      'ai.usage.reasoningTokens': tokens,
      'ai.response.providerMetadata': tokensIn(['openai', 'reasoningTokens'], ['azure', 'reasoningTokens']),
    },
    cacheOutsideInput: { 'ai.response.providerMetadata': cacheOutsideInput },
    timeToFirstTokenMs: { 'ai.response.msToFirstChunk': (value) => numberOf(value) },
    sessionId: { 'ai.telemetry.metadata.sessionId': label, 'ai.settings.context.sessionId': label },
    userId: { 'ai.telemetry.metadata.userId': label, 'ai.settings.context.userId': label },
    tags: { 'ai.telemetry.metadata.tags': tagList, 'ai.settings.context.tags': tagList },
  },
};
