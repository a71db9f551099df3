import type { SpanKind } from '../../../contract/kinds.ts';
import { label, tagList } from '../readers/attribute-readers.ts';
import type { Convention } from '../readers/convention.ts';
import { jsonPayload } from '../readers/payload-json.ts';

/** `DEFAULT` is the type of a span without an explicit type. */
const kinds: ReadonlyMap<unknown, SpanKind> = new Map<unknown, SpanKind>([
  ['LLM', 'llm'],
  ['CACHED', 'llm'],
  ['TOOL', 'tool'],
  ['PIPELINE', 'chain'],
  ['EXECUTOR', 'chain'],
  ['EVALUATION', 'evaluator'],
  ['EVALUATOR', 'evaluator'],
  ['HUMAN_EVALUATOR', 'evaluator'],
]);

const properties = 'lmnr.association.properties.';

/** Laminar, except for its `gen_ai.*` attributes. */
export const convention: Convention = {
  name: 'laminar',
  fields: {
    kind: { 'lmnr.span.type': (value) => kinds.get(value) },
    input: { 'lmnr.span.input': jsonPayload },
    output: { 'lmnr.span.output': jsonPayload },
    sessionId: { [`${properties}session_id`]: label },
    userId: { [`${properties}user_id`]: label },
    tags: { [`${properties}tags`]: tagList },
  },
};
