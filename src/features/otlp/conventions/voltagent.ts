import type { SpanKind } from '../../../contract/kinds.ts';
import { label, tokens } from '../readers/attribute-readers.ts';
import type { Convention } from '../readers/convention.ts';
import { payload } from '../readers/payload-json.ts';

const kinds: ReadonlyMap<unknown, SpanKind> = new Map<unknown, SpanKind>([
  ['llm', 'llm'],
  ['agent', 'agent'],
  ['retriever', 'retriever'],
  ['memory', 'span'],
  ['guardrail', 'guardrail'],
  ['scorer', 'evaluator'],
  ['workflow', 'chain'],
  ['workflow-step', 'chain'],
]);
/** Kinds of the spans without `span.type`, which enclose those of an agent or a workflow. */
const entities: ReadonlyMap<unknown, SpanKind> = new Map<unknown, SpanKind>([
  ['agent', 'agent'],
  ['workflow', 'chain'],
]);

/** VoltAgent: attribute names without a prefix; its spans have `entity.type`. */
export const convention: Convention = {
  name: 'voltagent',
  fields: {
    kind: {
      // Claude Code has tools under the same name.
      'span.type': (value, span) => (value === 'tool' && span.get('entity.type') !== undefined ? 'tool' : kinds.get(value)),
      'entity.type': (value, span) => (span.get('span.type') === undefined ? entities.get(value) : undefined),
    },
    requestModel: { 'llm.model': label },
    agentName: { 'entity.name': (value, span) => (span.get('entity.type') === 'agent' ? label(value, span) : undefined) },
    input: { 'llm.messages': payload },
    cachedTokens: { 'llm.usage.cached_tokens': tokens },
    reasoningTokens: { 'llm.usage.reasoning_tokens': tokens },
    sessionId: { 'voltagent.conversation_id': label, 'conversation.id': label },
  },
};
