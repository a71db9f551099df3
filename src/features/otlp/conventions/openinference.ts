import { classReader } from '../readers/token-classes.ts';
import { isRecord } from '../../../platform/json/index.ts';
import { amount, commaTags, label, labelIn, record, sinceStart, tokens, version } from '../readers/attribute-readers.ts';
import type { Convention, Reader } from '../readers/convention.ts';
import { kindByName } from '../readers/kind-by-name.ts';
import { plainMessages } from '../readers/openinference-messages.ts';
import { numbered } from '../readers/numbered-attributes.ts';
import { payload } from '../readers/payload-json.ts';
import { valueJson } from '../wire/attribute.ts';

/** Some applications store the session id in the free-form `metadata`. */
const sessionInMetadata: Reader<string> = (value, span) => {
  for (const name of ['session_id', 'sessionId', 'thread_id', 'conversation_id']) {
    const found = labelIn(name)(value, span);
    if (found !== undefined) return found;
  }
  return undefined;
};

/** A message without content. The instrumentation of LangChain does not send contents that are lists. */
const emptyMessage = /\{"role":"[^"]*"\}/;

/**
 * Reads the messages of a call, which are more precise than the request or response that contains them. In other spans they repeat those of
 * calls. There, and if one of them is empty, they are used only if `value` is missing.
 */
function messages(prefix: string, value: string): Reader<string> {
  const read = numbered(prefix, 'message', 'message_content', 'tool_call');
  return (first, span) => {
    const sent = read(first, span);
    const found = sent === undefined ? undefined : plainMessages(sent);
    if (found === undefined || (span.kind === 'llm' && !emptyMessage.test(found))) return found;
    const whole = span.get(value);
    return whole === undefined || payload(whole, span) === undefined ? found : undefined;
  };
}

const inputMessages = messages('llm.input_messages.', 'input.value');

/** The system prompt of Anthropic's interface: a parameter, a text or blocks. The messages of the call do not have it. */
const systemPrompt: Reader<string> = (value, span) => {
  const role = span.get('llm.input_messages.0.message.role');
  // Parameters hold the schemas of all tools, and are long.
  if (role === undefined || role === 'system' || (typeof value === 'string' && !value.includes('"system"'))) return undefined;
  const system = record(value, span)?.['system'];
  const texts = Array.isArray(system)
    ? (system as unknown[]).map((block) => (isRecord(block) ? block['text'] : undefined))
    : [system];
  const parts = texts.filter((text) => typeof text === 'string' && text !== '').map((content) => ({ type: 'text', content }));
  // Without messages the input is the whole request, which contains the prompt already.
  return parts.length === 0 || inputMessages('', span) === undefined ? undefined : JSON.stringify(parts);
};

/** Reads one member of each embedding as a list: its text or its vector. */
const embedded =
  (member: string): Reader<string> =>
  (_value, span) => {
    const found = span
      .numbered('embedding.embeddings.')
      .filter(({ rest }) => rest.endsWith(member))
      .toSorted((left, right) => Number.parseInt(left.rest, 10) - Number.parseInt(right.rest, 10));
    return found.length === 0 ? undefined : `[${found.map(({ value }) => valueJson(value)).join(',')}]`;
  };

/** The texts that were embedded, and the vectors of them. */
const embeddedTexts = embedded('.embedding.text');
const vectors = embedded('.embedding.vector');

/** Reads the model of a request of a call that names it nowhere else. */
const modelOfRequest: Reader<string> = (value, span) => {
  const isCall = /^(?:llm|embedding)$/i.test(String(span.get('openinference.span.kind')));
  if (!isCall || (typeof value === 'string' && !value.includes('"model"'))) return undefined;
  return labelIn('model')(value, span);
};

/** The id at the beginning of a response of OpenAI or Anthropic, without parsing the response. */
const responseStart = /^\{\s*"id":\s*"((?:chatcmpl-|resp_|msg_)[\w-]+)"/;
const idOfResponse: Reader<string> = (value) => (typeof value === 'string' ? responseStart.exec(value)?.[1] : undefined);

/** The instrumentations of LangChain and OpenAI record the time of a stream's first token as an event; Traceloop that of each part. */
const firstTokenEvents: ReadonlySet<string> = new Set(['First Token Stream Event', 'gen_ai.content.completion.chunk']);
const firstToken: Reader<number> = (_value, span) => {
  const event = span.span?.events.find(({ name }) => firstTokenEvents.has(name));
  if (event === undefined) return undefined;
  span.noteEvent(event);
  return sinceStart(Number(event.timeNs) / 1e6, span);
};

/** OpenInference (Arize Phoenix and its instrumentations). */
export const convention: Convention = {
  name: 'openinference',
  fields: {
    kind: { 'openinference.span.kind': kindByName },
    requestModel: {
      'llm.invocation_parameters': labelIn('model'),
      'embedding.invocation_parameters': labelIn('model'),
      'input.value': modelOfRequest,
    },
    responseModel: { 'llm.model_name': label, 'embedding.model_name': label },
    responseId: { 'output.value': idOfResponse },
    provider: { 'llm.provider': label, 'llm.system': label },
    toolName: { 'tool.name': label },
    agentName: {
      'agent.name': label,
      'graph.node.id': (value, span) => (span.kind === 'agent' ? label(value, span) : undefined),
    },
    input: {
      'input.value': payload,
      'llm.input_messages.*': inputMessages,
      'llm.prompts.*': numbered('llm.prompts.', 'prompt'),
      'embedding.embeddings.*': embeddedTexts,
      'reranker.query': payload,
    },
    systemInstructions: { 'llm.invocation_parameters': systemPrompt },
    output: {
      'output.value': payload,
      'llm.output_messages.*': messages('llm.output_messages.', 'output.value'),
      'llm.completions.*': numbered('llm.completions.', 'completion'),
      'retrieval.documents.*': numbered('retrieval.documents.', 'document'),
      'reranker.output_documents.*': numbered('reranker.output_documents.', 'document'),
      'embedding.embeddings.*': vectors,
    },
    inputTokens: { 'llm.token_count.prompt': tokens },
    outputTokens: { 'llm.token_count.completion': tokens },
    totalTokens: { 'llm.token_count.total': tokens },
    tokenClasses: {
      'llm.token_count.prompt_details.audio': classReader('inputAudio'),
      'llm.token_count.completion_details.audio': classReader('outputAudio'),
    },
    cachedTokens: { 'llm.token_count.prompt_details.cache_read': tokens },
    cacheWriteTokens: { 'llm.token_count.prompt_details.cache_write': tokens },
    reasoningTokens: { 'llm.token_count.completion_details.reasoning': tokens },
    costUsd: { 'llm.cost.total': amount },
    timeToFirstTokenMs: { '(events)': firstToken },
    sessionId: { metadata: sessionInMetadata },
    tags: { 'tag.tags': commaTags },
    promptVersion: { 'llm.prompt_template.version': version },
  },
};
