import type { SpanKind } from '../../../contract/kinds.ts';
import { label, tagList, timeSinceStart } from '../readers/attribute-readers.ts';
import type { Convention, Reader } from '../readers/convention.ts';
import { payload } from '../readers/payload-json.ts';

const kinds: ReadonlyMap<unknown, SpanKind> = new Map<unknown, SpanKind>([
  ['agent_run', 'agent'],
  ['model_generation', 'llm'],
  ['model_inference', 'llm'],
  ['model_step', 'chain'],
  ['tool_call', 'tool'],
  ['mcp_tool_call', 'tool'],
  ['client_tool_call', 'tool'],
  ['provider_tool_call', 'tool'],
  ['processor_run', 'chain'],
  ['rag_embedding', 'embedding'],
  ['rag_vector_operation', 'retriever'],
  ['scorer_run', 'evaluator'],
  ['scorer_step', 'evaluator'],
]);

const kind: Reader<SpanKind> = (value) => {
  const found = kinds.get(value);
  return found ?? (typeof value === 'string' && value.startsWith('workflow_') ? 'chain' : undefined);
};

/** Reads `mastra.<span type>.input` or `.output`. */
function ofType(member: 'input' | 'output'): Reader<string> {
  return (type, span) => {
    const value = typeof type === 'string' ? span.get(`mastra.${type}.${member}`) : undefined;
    return value === undefined ? undefined : payload(value, span);
  };
}

/** Mastra, except for its `gen_ai.*` attributes. */
export const convention: Convention = {
  name: 'mastra',
  fields: {
    kind: { 'mastra.span.type': kind },
    input: { 'mastra.span.type': ofType('input') },
    output: { 'mastra.span.type': ofType('output') },
    timeToFirstTokenMs: { 'mastra.completion_start_time': timeSinceStart },
    sessionId: { 'mastra.metadata.sessionId': label, 'mastra.metadata.threadId': label },
    userId: { 'mastra.metadata.userId': label },
    tags: { 'mastra.tags': tagList },
  },
};
