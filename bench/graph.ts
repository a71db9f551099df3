import { isDeepStrictEqual } from 'node:util';
import type { ClickHouse } from '../src/platform/clickhouse/index.ts';
import { quantile } from './figure.ts';
import type { Figure } from './figure.ts';

interface GraphBench {
  clickhouse: ClickHouse;
  project: string;
  nowMs: number;
  title: string;
  repetitions: number;
  /** Answers a path of the service. */
  answer(path: string): Promise<unknown>;
  timed(work: () => Promise<unknown>): Promise<number>;
}

interface NodeRow {
  id: string;
  calls: number;
  errors: number;
}

/** The slices in which rows are derived, to bound memory. */
const slices = 20;

/**
 * Gives every trace of the large tables an agent's span above its calls, and derives the rows of the graph as the pipeline would. To be followed by the
 * sealing of all hours.
 */
export async function fillGraph(clickhouse: ClickHouse, project: string): Promise<void> {
  const ofProject = { project };
  await clickhouse.command(
    `INSERT INTO spans (project_id, trace_id, span_id, version, name, kind, start_time, end_time, status, agent_name, environment, source)
     SELECT project_id, trace_id, 'agent', 1, 'run', 'agent', start_time, end_time, if(error = 1, 'error', 'ok'), concat('boss-', toString(cityHash64(trace_id) % 7)), 'production', 'otlp'
     FROM traces FINAL WHERE project_id = {project:UUID}`,
    ofProject,
  );
  for (let slice = 0; slice < slices; slice++) {
    await clickhouse.command(
      `INSERT INTO node_calls (project_id, hour, trace_id, call_id, version, start_time, environment, node, caller, provider, agent_name, error, finished, duration_ms, cost)
       SELECT project_id, toStartOfHour(start_time), trace_id, span_id, version, start_time, environment,
         if(kind = 'llm', concat('model:', model), concat('agent:', agent_name)), if(kind = 'llm', concat('agent:boss-', toString(cityHash64(trace_id) % 7)), ''),
         provider, if(kind = 'llm', concat('boss-', toString(cityHash64(trace_id) % 7)), ''), status = 'error', 1,
         (toUnixTimestamp64Nano(assumeNotNull(end_time)) - toUnixTimestamp64Nano(start_time)) / 1e6, ifNull(cost_usd, 0)
       FROM spans FINAL WHERE project_id = {project:UUID} AND kind IN ('llm', 'agent') AND cityHash64(trace_id) % ${slices} = ${slice}`,
      ofProject,
    );
  }
  const nodes = `arrayConcat(arrayMap(model -> concat('model:', model), models), [concat('agent:boss-', toString(cityHash64(trace_id) % 7)), 'provider:openai'])`;
  await clickhouse.command(
    `ALTER TABLE traces UPDATE nodes = ${nodes}, node_environments = arrayMap(node -> 'production', ${nodes}) WHERE project_id = {project:UUID}
     SETTINGS mutations_sync = 2`,
    ofProject,
  );
}

/** The graph and a blast radius of 30 days, through the service and by hand over raw spans. Fails if their counts differ. */
export async function benchGraph({
  clickhouse,
  project,
  nowMs,
  title,
  repetitions,
  answer,
  timed,
}: GraphBench): Promise<Figure[]> {
  const parameters = { project, from: Math.floor(nowMs / 86_400_000) * 86_400 - 29 * 86_400 };
  const inWindow = 'project_id = {project:UUID} AND start_time >= toDateTime({from:UInt32})';
  const figures = `count() AS calls, countIf(status = 'error') AS errors, sum(cost_usd) AS cost, quantileExact(0.95)(dateDiff('millisecond', start_time, end_time)) AS p95`;
  const nodes = (
    final: string,
  ) => `SELECT multiIf(grouping(provider) = 0, concat('provider:', provider), kind = 'llm', concat('model:', model), concat('agent:', agent)) AS id, ${figures}
    FROM (SELECT *, if(kind = 'agent', agent_name, '') AS agent FROM spans${final}) WHERE ${inWindow} AND kind IN ('llm', 'agent')
    GROUP BY GROUPING SETS ((kind, model, agent), (provider)) HAVING id != 'provider:' ORDER BY calls DESC, id`;
  // One level of parents; the graph follows any number of them.
  const edges = `SELECT boss.agent AS source, model AS target, ${figures} FROM spans
    JOIN (SELECT trace_id AS of_trace, agent_name AS agent FROM spans WHERE ${inWindow} AND kind = 'agent') AS boss ON trace_id = of_trace
    WHERE ${inWindow} AND kind = 'llm' GROUP BY source, target`;
  const radius = `SELECT count(), uniqExact(session_id), uniqExact(user_id), sum(cost) FROM (
      SELECT trace_id, any(session_id) AS session_id, any(user_id) AS user_id, sum(cost_usd) AS cost FROM spans WHERE ${inWindow}
      GROUP BY trace_id HAVING countIf(model = 'model-1') > 0)`;
  const shares = `SELECT agent_name, count(), countIf(trace_id IN (SELECT trace_id FROM spans WHERE ${inWindow} AND model = 'model-1')) FROM spans
    WHERE ${inWindow} AND kind = 'agent' GROUP BY agent_name`;
  const hand = async (statements: readonly string[]) => {
    for (const statement of statements) await clickhouse.systemQuery(statement, parameters);
  };
  const paths = {
    graph: `/v1/projects/${project}/graph?range=30d`,
    radius: `/v1/projects/${project}/blast-radius?range=30d&node=model:model-1`,
  };
  const listed = ((await answer(paths.graph)) as { nodes: NodeRow[] }).nodes.map(({ id, calls, errors }) => ({
    id,
    calls,
    errors,
  }));
  const raw = await clickhouse.systemQuery<NodeRow>(nodes(' FINAL'), parameters);
  const truth = raw.map(({ id, calls, errors }) => ({ id, calls, errors }));
  if (!isDeepStrictEqual(listed, truth))
    throw new Error(`the graph says ${JSON.stringify(listed)}, FINAL ${JSON.stringify(truth)}`);
  const compared = async (name: string, path: string, statements: readonly string[]): Promise<Figure> => {
    const times = { read: [] as number[], hand: [] as number[] };
    for (let repetition = 0; repetition < repetitions; repetition++) {
      times.read.push(await timed(() => answer(path)));
      if (repetition % 4 === 0) times.hand.push(await timed(() => hand(statements)));
    }
    const [read, byHand] = [quantile(times.read, 0.95), quantile(times.hand, 0.95)];
    return {
      title: `${name}, p95 ÷ raw spans by hand without FINAL, ${title}`,
      values: [read / byHand],
      unit: '',
      wanted: { most: 0.3 },
      detail: `${read.toFixed(0)} ÷ ${byHand.toFixed(0)} ms`,
    };
  };
  return [
    await compared('dependency graph', paths.graph, [nodes(''), edges]),
    await compared('blast radius', paths.radius, [radius, shares]),
  ];
}
