import { Table } from '../../../platform/tables/index.ts';

/** The agent of a span that has none of its own and is no call: that of the nearest agent above it (docs/semantics.md, "Agent names"). */
export interface SpanAgent {
  spanId: string;
  startNs: bigint;
  agentName: string;
}

interface SpanAgentRow {
  traceId: string;
  agent: SpanAgent;
}

const blank: SpanAgentRow = { traceId: '', agent: { spanId: '', startNs: 0n, agentName: '' } };

/** The key of a row of `span_agents`, and the start of the span. */
export type SpanAgentKey = Pick<SpanAgentRow, 'traceId'> & Pick<SpanAgent, 'spanId' | 'startNs'>;

/** Table `span_agents`: a row is the agent that one span takes from above. Derived. */
export const spanAgents = new Table({
  name: 'span_agents',
  timeColumn: 'start_time',
  layoutVersion: 1,
  blank,
  tombstone: {
    columns: ['project_id', 'trace_id', 'span_id', 'version', 'is_deleted', 'start_time'],
    row: ({ traceId, spanId, startNs }: SpanAgentKey): SpanAgentRow => ({
      traceId,
      agent: { ...blank.agent, spanId, startNs },
    }),
  },
  columns: (to, stamp, { traceId, agent }) => {
    to.uuid('project_id', stamp.projectId);
    to.string('trace_id', traceId);
    to.string('span_id', agent.spanId);
    to.uint64('version', stamp.version);
    to.boolean('is_deleted', stamp.deleted);
    to.nanoseconds('start_time', agent.startNs);
    to.string('agent_name', agent.agentName);
  },
});
