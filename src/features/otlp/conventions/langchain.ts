import type { SpanKind } from '../../../contract/kinds.ts';
import { jsonLabel, label, labelOf, record } from '../readers/attribute-readers.ts';
import type { Convention, Reader } from '../readers/convention.ts';
import type { SpanView } from '../readers/span-view.ts';

const langfuse = 'langfuse.observation.metadata.';
const langsmith = 'langsmith.metadata.';

/** Kind attributes of the instrumentations, and the kinds with which they mark a span that encloses the steps of an agent. */
const kindAttributes = ['openinference.span.kind', 'langfuse.observation.type', 'langsmith.span.kind', 'traceloop.span.kind'];
const enclosingKinds = new Set(['chain', 'span', 'agent', 'workflow']);

/**
 * `agent` for the span of an agent made by `createAgent`, else undefined. Every span inside inherits its metadata; the agent's own span has the
 * agent's name, or, for an unnamed agent, no `langgraph_node`.
 */
function agentKind(integration: unknown, metadata: (name: string) => unknown, span: SpanView): SpanKind | undefined {
  if (typeof integration !== 'string' || !integration.includes('create_agent')) return undefined;
  const named = kindAttributes.map((name) => span.get(name)).find((value) => typeof value === 'string');
  if (named !== undefined && !enclosingKinds.has(String(named).toLowerCase())) return undefined;
  const agent = metadata('lc_agent_name');
  const isAgent =
    typeof agent === 'string' && agent !== '' ? agent === span.span?.name : metadata('langgraph_node') === undefined;
  return isAgent ? 'agent' : undefined;
}

const kindIn =
  (prefix: string): Reader<SpanKind> =>
  (value, span) =>
    agentKind(value, (name) => span.get(prefix + name), span);

function inMetadata(name: string): Reader<string> {
  return (value, span) => labelOf(record(value, span)?.[name]);
}

/** LangChain and LangGraph: the metadata of a run, which each instrumentation encodes differently. */
export const convention: Convention = {
  name: 'langchain',
  fields: {
    kind: {
      metadata: (value, span) => {
        const members = record(value, span);
        return agentKind(members?.['ls_integration'], (name) => members?.[name], span);
      },
      [`${langfuse}ls_integration`]: kindIn(langfuse),
      [`${langsmith}ls_integration`]: kindIn(langsmith),
    },
    provider: { [`${langfuse}ls_provider`]: jsonLabel, metadata: inMetadata('ls_provider') },
    agentName: {
      [`${langfuse}lc_agent_name`]: jsonLabel,
      [`${langsmith}lc_agent_name`]: label,
      metadata: inMetadata('lc_agent_name'),
    },
    sessionId: {
      [`${langsmith}conversation_id`]: label,
      [`${langfuse}session_id`]: jsonLabel,
      [`${langfuse}thread_id`]: jsonLabel,
      [`${langfuse}conversation_id`]: jsonLabel,
    },
    userId: { [`${langfuse}user_id`]: jsonLabel, metadata: inMetadata('user_id') },
  },
};
