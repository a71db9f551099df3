import { commaTags, label, tokensIn } from '../readers/attribute-readers.ts';
import type { Convention, Reader } from '../readers/convention.ts';
import { kindByName } from '../readers/kind-by-name.ts';

/** LangSmith leaves the status OK when a run fails, and adds an exception event. */
const hasException: Reader<boolean> = (_value, span) => {
  const exception = span.span?.events.find((event) => event.name === 'exception');
  if (exception === undefined) return undefined;
  span.noteEvent(exception);
  return true;
};

const usage = 'langsmith.usage_metadata';

/** LangSmith's OpenTelemetry export, except for its `gen_ai.*` attributes. */
export const convention: Convention = {
  name: 'langsmith',
  fields: {
    traceName: { 'langsmith.trace.name': label },
    kind: { 'langsmith.span.kind': kindByName },
    requestModel: { 'langsmith.metadata.ls_model_name': label },
    provider: { 'langsmith.metadata.ls_provider': label, ls_provider: label },
    inputTokens: { [usage]: tokensIn(['input_tokens']) },
    totalTokens: { [usage]: tokensIn(['total_tokens']) },
    outputTokens: { [usage]: tokensIn(['output_tokens']) },
    cachedTokens: { [usage]: tokensIn(['input_token_details', 'cache_read']) },
    cacheWriteTokens: { [usage]: tokensIn(['input_token_details', 'cache_creation']) },
    reasoningTokens: { [usage]: tokensIn(['output_token_details', 'reasoning']) },
    sessionId: { 'langsmith.metadata.session_id': label, 'langsmith.metadata.thread_id': label },
    userId: { 'langsmith.metadata.user_id': label },
    tags: { 'langsmith.span.tags': commaTags },
    failed: { 'langsmith.span.kind': hasException, 'langsmith.trace.name': hasException },
  },
};
