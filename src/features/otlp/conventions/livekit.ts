import type { SpanKind } from '../../../contract/kinds.ts';
import { label, seconds } from '../readers/attribute-readers.ts';
import type { Convention, Reader } from '../readers/convention.ts';
import { payload } from '../readers/payload-json.ts';
import { toolName } from '../readers/tool-name.ts';

/** Kinds by span name; spans have no attribute for it. */
const kinds: ReadonlyMap<string, SpanKind> = new Map<string, SpanKind>([
  ['agent_turn', 'agent'],
  ['llm_node', 'llm'],
  ['llm_request', 'llm'],
  ['function_tool', 'tool'],
]);

const toolNames = ['lk.function_tool.name', 'lk.pii.function_tool.name'];

const kind: Reader<SpanKind> = (scope, span) => {
  if (scope !== 'livekit-agents') return undefined;
  const found = kinds.get(span.span?.name ?? '');
  // A tool's span is stored under the name of the tool.
  return found ?? (toolNames.some((name) => span.get(name) !== undefined) ? 'tool' : 'span');
};

/** A reader for both names of an attribute: applications that mark personal data use the prefix `lk.pii.`. */
const both = <T>(name: string, read: Reader<T>): Readonly<Record<string, Reader<T>>> => ({
  [`lk.pii.${name}`]: read,
  [`lk.${name}`]: read,
});

/** LiveKit Agents, except for its `gen_ai.*` attributes. */
export const convention: Convention = {
  name: 'livekit',
  fields: {
    name: both('function_tool.name', toolName),
    toolName: both('function_tool.name', label),
    kind: { '(scope)': kind },
    agentName: both('agent_name', label),
    input: { ...both('chat_ctx', payload), ...both('function_tool.arguments', payload), ...both('user_input', payload) },
    output: { ...both('response.text', payload), ...both('function_tool.output', payload) },
    timeToFirstTokenMs: both('response.ttft', seconds),
  },
};
