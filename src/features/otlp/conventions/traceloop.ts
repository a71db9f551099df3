import { label, tokens, tokensOf, version } from '../readers/attribute-readers.ts';
import type { Convention, Reader } from '../readers/convention.ts';
import { kindByName } from '../readers/kind-by-name.ts';
import { jsonPayload, payload } from '../readers/payload-json.ts';
import { valueJson } from '../wire/attribute.ts';

const requestKinds = new Set(['chat', 'completion', 'embedding', 'rerank']);

/** Pure vector databases: their queries are retrievals. */
const vectorStores: ReadonlySet<unknown> = new Set(
  'pinecone chroma chromadb qdrant weaviate milvus lancedb marqo turbopuffer vespa astradb'.split(' '),
);
const resultPrefix = 'db.query.result.';

/** Reads the results of a vector store: one event each, with prefixed attributes. */
const queryResults: Reader<string> = (_value, span) => {
  const results: string[] = [];
  for (const event of span.span?.events ?? []) {
    if (event.name !== 'db.query.result') continue;
    span.noteEvent(event);
    const members = event.attributes.map(({ key, value }) => {
      const name = key.name.startsWith(resultPrefix) ? key.name.slice(resultPrefix.length) : key.name;
      return `${JSON.stringify(name)}:${value === null ? 'null' : (payload(value, span) ?? valueJson(value))}`;
    });
    results.push(`{${members.join(',')}}`);
  }
  return results.length === 0 ? undefined : `[${results.join(',')}]`;
};

/** The output's share of the total; for an embedding without counts the total is its input. */
const outputOfTotal: Reader<number> = (value, span) => {
  const total = tokensOf(value);
  const input = tokensOf(span.get('llm.usage.prompt_tokens'));
  return total === undefined || input === undefined || total < input ? undefined : total - input;
};

/** Traceloop's OpenLLMetry. */
export const convention: Convention = {
  name: 'traceloop',
  fields: {
    kind: {
      'traceloop.span.kind': kindByName,
      // The value `unknown` determines no kind.
      'llm.request.type': (value, span) => (requestKinds.has(String(value)) ? kindByName(value, span) : undefined),
      'db.system': (value) => (vectorStores.has(value) ? 'retriever' : undefined),
    },
    operation: { 'llm.request.type': label },
    requestModel: { 'llm.request.model_name': label },
    responseModel: { 'llm.response.model_name': label },
    toolName: { 'traceloop.entity.name': label },
    agentName: { 'traceloop.entity.name': (value, span) => (span.kind === 'agent' ? label(value, span) : undefined) },
    input: { 'traceloop.entity.input': jsonPayload },
    output: { 'traceloop.entity.output': jsonPayload, 'db.system': queryResults },
    inputTokens: {
      'llm.usage.prompt_tokens': tokens,
      'llm.usage.total_tokens': (value, span) => (span.kind === 'embedding' ? tokensOf(value) : undefined),
    },
    outputTokens: { 'llm.usage.completion_tokens': tokens, 'llm.usage.total_tokens': outputOfTotal },
    totalTokens: { 'llm.usage.total_tokens': tokens },
    sessionId: { 'traceloop.association.properties.session_id': label },
    userId: { 'traceloop.association.properties.user_id': label },
    promptName: { 'traceloop.prompt.key': label },
    promptVersion: { 'traceloop.prompt.version': version },
  },
};
