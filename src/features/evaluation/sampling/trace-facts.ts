import type { SpanKind } from '../../../contract/kinds.ts';
import type { ClickHouse, TenantReader } from '../../../platform/clickhouse/index.ts';
import { agentNameSql, blankNode, maxSpansOfATrace, resolveTrace } from '../../trace-store/index.ts';
import type { FilterFacts } from './matches-filter.ts';

/** The values of a trace that filters compare, and those that its spans inherit. */
export interface TraceFacts extends FilterFacts {
  /** There is a span without a parent. */
  hasRoot: boolean;
  /** The earliest span, of those without a parent if there are any, has an end; or there are no spans. */
  rootFinished: boolean;
  /** `''`: none. */
  environment: string;
  /** `''`: none. */
  sessionId: string;
  /** By span id, the name of the nearest agent span above it. */
  agentOfSpan: ReadonlyMap<string, string>;
}

/** Trace ids per query. */
const chunkSize = 1_000;

interface FactsRow {
  trace_id: string;
  models: string[];
  agents: string[];
  environment: string;
  session: string;
  tags: string[];
  /** Of the root; [] for a trace without spans. */
  root_kind: SpanKind[];
  has_root: number;
  root_finished: number;
}

type NodeRow = { t: string; s: string; p: string; n: string; k: SpanKind; a: string; o: 'native' | 'otlp' };

// `spans` is sorted by trace, so that few traces take few granules. As in the list of traces, values come from the trace's own record, else
// from its root, else from the other spans.
const order = "(span_id != '', parent_span_id != '', start_time, span_id)";
const isRoot = "span_id != '' AND parent_span_id = ''";
const rootOrder = "(parent_span_id != '', start_time, span_id)";

/** The agent that a span names; that of an agent without a name has the name of its span. */
const ownAgent = `if(agent_name = '' AND kind = 'agent', ${agentNameSql('name')}, toString(agent_name))`;

/** SQL of {@link readTraceFacts}. */
export const traceFactsSql = `SELECT trace_id,
  groupUniqArrayIf(model, model != '' AND kind IN ('llm', 'embedding')) AS models,
  groupUniqArrayIf(${ownAgent}, ${ownAgent} != '') AS agents,
  argMinIf(environment, ${order}, environment != '') AS environment,
  argMinIf(session_id, ${order}, session_id != '') AS session,
  groupUniqArrayArray(tags) AS tags,
  if(countIf(span_id != '') = 0, [], [toString(argMinIf(kind, ${rootOrder}, span_id != ''))]) AS root_kind,
  countIf(${isRoot}) > 0 AS has_root,
  argMinIf(end_time IS NOT NULL, ${rootOrder}, span_id != '') AS root_finished
FROM spans FINAL
PREWHERE trace_id IN {traces:Array(String)}
GROUP BY trace_id`;

/**
 * Reads traces that have just been written.
 *
 * @param withAgents also computes the agent of each span
 */
export async function readTraceFacts(
  clickhouse: ClickHouse,
  projectId: string,
  traceIds: readonly string[],
  withAgents = false,
): Promise<Map<string, TraceFacts>> {
  const reader = clickhouse.forTenant({ projectId, oldestMs: null });
  const facts = new Map<string, TraceFacts>();
  for (let at = 0; at < traceIds.length; at += chunkSize) {
    const traces = traceIds.slice(at, at + chunkSize);
    const [rows, agents] = await Promise.all([
      reader.query<FactsRow>(traceFactsSql, { traces }),
      withAgents ? readAgents(reader, traces) : new Map<string, Map<string, string>>(),
    ]);
    for (const row of rows) {
      facts.set(row.trace_id, {
        kinds: row.root_kind,
        models: new Set(row.models),
        agents: new Set(row.agents),
        environments: new Set(row.environment === '' ? [] : [row.environment]),
        tags: new Set(row.tags),
        environment: row.environment,
        sessionId: row.session,
        hasRoot: row.has_root === 1,
        rootFinished: row.root_kind.length === 0 || row.root_finished === 1,
        agentOfSpan: agents.get(row.trace_id) ?? new Map(),
      });
    }
  }
  return facts;
}

async function readAgents(reader: TenantReader, traces: readonly string[]): Promise<Map<string, Map<string, string>>> {
  const rows = await reader.query<NodeRow>(
    `SELECT trace_id AS t, span_id AS s, parent_span_id AS p, name AS n, kind AS k, agent_name AS a, source AS o
FROM spans FINAL
PREWHERE trace_id IN {traces:Array(String)}
WHERE span_id != ''
LIMIT ${maxSpansOfATrace} BY trace_id`,
    { traces },
  );
  const byTrace = Map.groupBy(rows, (row) => row.t);
  return new Map([...byTrace].map(([traceId, nodes]) => [traceId, agentsOf(nodes)]));
}

function agentsOf(rows: readonly NodeRow[]): Map<string, string> {
  const nodes = rows.map((row) => ({
    ...blankNode,
    spanId: row.s,
    parentSpanId: row.p,
    name: row.n,
    kind: row.k,
    agentName: row.a,
    source: row.o,
  }));
  return new Map([...resolveTrace(nodes)].map(([node, { agentName }]) => [node.spanId, agentName]));
}
