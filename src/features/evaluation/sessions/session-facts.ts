import type { SpanKind } from '../../../contract/kinds.ts';
import type { ClickHouse } from '../../../platform/clickhouse/index.ts';
import type { FilterFacts } from '../sampling/matches-filter.ts';

interface FactsRow {
  session_id: string;
  models: string[];
  agents: string[];
  environments: string[];
  tags: string[];
  traces: string[];
}

/** Number of latest traces of a session whose roots are read. */
const maxTraces = 1_000;

const factsSql = `SELECT session_id, groupUniqArrayArray(models) AS models, groupUniqArrayArray(agents) AS agents,
  groupUniqArrayIf(environment, environment != '') AS environments, groupUniqArrayArray(tags) AS tags,
  groupArray(${maxTraces})(trace_id) AS traces
FROM (SELECT * FROM traces FINAL WHERE session_id IN {sessions:Array(String)} ORDER BY start_time DESC)
GROUP BY session_id`;

const kindsSql = `SELECT trace_id, argMin(kind, (parent_span_id != '', start_time, span_id)) AS kind
FROM spans FINAL
WHERE trace_id IN {traces:Array(String)} AND span_id != ''
GROUP BY trace_id`;

/** The values of sessions that filters compare: those of any of their traces. */
export async function readSessionFacts(
  clickhouse: ClickHouse,
  projectId: string,
  sessions: readonly string[],
  withKinds: boolean,
): Promise<Map<string, FilterFacts>> {
  const reader = clickhouse.forTenant({ projectId, oldestMs: null });
  const rows = await reader.query<FactsRow>(factsSql, { sessions });
  const traces = withKinds ? rows.flatMap((row) => row.traces) : [];
  const roots = traces.length > 0 ? await reader.query<{ trace_id: string; kind: SpanKind }>(kindsSql, { traces }) : [];
  const kindOf = new Map(roots.map((root) => [root.trace_id, root.kind]));
  return new Map(
    rows.map(({ session_id: sessionId, models, agents, environments, tags, traces: ofSession }) => {
      const kinds = ofSession.flatMap((traceId) => kindOf.get(traceId) ?? []);
      return [
        sessionId,
        {
          kinds: [...new Set(kinds)],
          models: new Set(models),
          agents: new Set(agents),
          environments: new Set(environments),
          tags: new Set(tags),
        },
      ];
    }),
  );
}
