import { isRecord } from '../../../platform/json/index.ts';
import { label, record, tokensIn, tokensOf } from '../readers/attribute-readers.ts';
import type { Convention, Reader } from '../readers/convention.ts';
import { payload } from '../readers/payload-json.ts';

const request = 'gcp.vertex.agent.llm_request';
const response = 'gcp.vertex.agent.llm_response';

/** The kit sends `{}` where payloads are not recorded, and `N/A` for a tool without a call. */
const content: Reader<string> = (value, span) => {
  const text = typeof value === 'string' ? value.trim() : '';
  return text === '{}' || text === 'N/A' || text === '"N/A"' ? undefined : payload(value, span);
};

/** The kit for JavaScript writes a response with camel-case names, the one for Python with snake-case ones. */
const count = (camel: string, snake: string): Reader<number> => tokensIn(['usageMetadata', camel], ['usage_metadata', snake]);
const candidates = count('candidatesTokenCount', 'candidates_token_count');
const thoughts = count('thoughtsTokenCount', 'thoughts_token_count');

/** Gemini's candidate count excludes thinking tokens: they are missing if the output equals the candidates. */
const thoughtsOutsideOutput: Reader<boolean> = (value, span) => {
  if (!isRecord(record(value, span)) || thoughts(value, span) === undefined) return undefined;
  const counted = candidates(value, span);
  const recorded = tokensOf(span.get('gen_ai.usage.output_tokens') ?? span.get('gen_ai.usage.completion_tokens')) ?? counted;
  return recorded !== undefined && recorded === counted ? true : undefined;
};

/** Google's Agent Development Kit, except for its `gen_ai.*` attributes. */
export const convention: Convention = {
  name: 'google-adk',
  fields: {
    input: { [request]: content, 'gcp.vertex.agent.tool_call_args': content },
    output: { [response]: content, 'gcp.vertex.agent.tool_response': content },
    inputTokens: { [response]: count('promptTokenCount', 'prompt_token_count') },
    outputTokens: { [response]: candidates },
    cachedTokens: { [response]: count('cachedContentTokenCount', 'cached_content_token_count') },
    totalTokens: { [response]: count('totalTokenCount', 'total_token_count') },
    reasoningTokens: { [response]: thoughts },
    reasoningOutsideOutput: { [response]: thoughtsOutsideOutput },
    sessionId: { 'gcp.vertex.agent.session_id': label },
  },
};
