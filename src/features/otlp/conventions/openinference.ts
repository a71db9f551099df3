import { amount, label, labelIn, tagList, tokens } from '../mapping/attribute-readers.ts';
import type { Convention, Reader } from '../mapping/convention.ts';
import { kindByName } from '../mapping/kind-by-name.ts';
import { numbered } from '../mapping/numbered-attributes.ts';
import { payload } from '../mapping/payload-json.ts';

/** Some applications store the session id in the free-form `metadata`. */
const sessionInMetadata: Reader<string> = (value, span) => {
  for (const name of ['session_id', 'sessionId', 'thread_id']) {
    const found = labelIn(name)(value, span);
    if (found !== undefined) return found;
  }
  return undefined;
};

const messages = (prefix: string): Reader<string> => numbered(prefix, 'message', 'message_content', 'tool_call');

/** OpenInference (Arize Phoenix and its instrumentations). */
export const convention: Convention = {
  name: 'openinference',
  fields: {
    kind: { 'openinference.span.kind': kindByName },
    requestModel: { 'llm.invocation_parameters': labelIn('model') },
    responseModel: { 'llm.model_name': label, 'embedding.model_name': label },
    provider: { 'llm.provider': label, 'llm.system': label },
    agentName: {
      'agent.name': label,
      'graph.node.id': (value, span) => (span.kind === 'agent' ? label(value, span) : undefined),
    },
    input: {
      'input.value': payload,
      'llm.input_messages.*': messages('llm.input_messages.'),
      'llm.prompts.*': numbered('llm.prompts.', 'prompt'),
    },
    output: {
      'output.value': payload,
      'llm.output_messages.*': messages('llm.output_messages.'),
      'llm.completions.*': numbered('llm.completions.', 'completion'),
      'retrieval.documents.*': numbered('retrieval.documents.', 'document'),
    },
    inputTokens: { 'llm.token_count.prompt': tokens },
    outputTokens: { 'llm.token_count.completion': tokens },
    cachedTokens: { 'llm.token_count.prompt_details.cache_read': tokens },
    cacheWriteTokens: { 'llm.token_count.prompt_details.cache_write': tokens },
    reasoningTokens: { 'llm.token_count.completion_details.reasoning': tokens },
    costUsd: { 'llm.cost.total': amount },
    sessionId: { metadata: sessionInMetadata },
    tags: { 'tag.tags': tagList },
    promptVersion: { 'llm.prompt_template.version': label },
  },
};
