import type { GraphNode, GraphQuery, NodeType } from '../../contract/graph.ts';
import type { TenantReader } from '../../platform/clickhouse/index.ts';
import type { Tenant } from '../../platform/http/index.ts';
import { exact, ratio } from '../../platform/statistics/index.ts';
import { closeCount, planFigures, sampleMask, windowOf } from '../figures/index.ts';
import type { FiguresPlan } from '../figures/index.ts';
import type { GraphContext } from './graph-context.ts';
import { graphSql, nodeSql, outlineSql, recountSql, sharesSql, totalsSql, traceIdsSql } from './graph-sql.ts';

/** The figures of a node (`source` is `''`) or edge. */
export interface FiguresRow {
  source: string;
  target: string;
  calls: number;
  errors: number;
  /** USD. */
  cost: number;
  unpriced: number;
  partly_priced: number;
  /** Milliseconds; 0 when nothing has finished. */
  p95: number;
}

/** The calls of a node (`source` is `''`) or edge. */
export type OutlineRow = Pick<FiguresRow, 'source' | 'target' | 'calls'>;

/** Sums over the traces that contain a node. */
export interface TraceTotals {
  traces: number;
  /** USD. */
  cost: number;
  unpriced: number;
  partly_priced: number;
  sessions: number;
  users: number;
}

/** Traces with a node, and those of them that contain another one too. */
export interface SharedTraces {
  traces: number;
  shared: number;
}

type Parameters = Readonly<Record<string, unknown>>;

/** Reads the graph of one project, window and environment. All reads use one plan, so that they are consistent. */
export class GraphStore {
  readonly reader: TenantReader;
  /** The window of start times, epoch milliseconds; the second exclusive. */
  readonly fromMs: number;
  readonly beforeMs: number;
  readonly #plan: FiguresPlan;
  /** Those whose spans count; empty for all. */
  readonly #environments: readonly string[];

  private constructor(
    reader: TenantReader,
    times: { fromMs: number; beforeMs: number },
    plan: FiguresPlan,
    environments: readonly string[],
  ) {
    this.reader = reader;
    this.fromMs = times.fromMs;
    this.beforeMs = times.beforeMs;
    this.#plan = plan;
    this.#environments = environments;
  }

  /** Errors: `invalid_request` for a range that cannot be read. */
  static async plan({ clickhouse, clock, hourStates }: GraphContext, tenant: Tenant, query: GraphQuery): Promise<GraphStore> {
    const { environment = [], ...range } = query;
    const window = windowOf(range, tenant.plan, clock.now());
    const plan = await planFigures(hourStates, tenant.projectId, window, environment);
    return new GraphStore(
      clickhouse.forTenant({ projectId: tenant.projectId, oldestMs: window.oldestMs }),
      window.rows ?? { fromMs: window.from * 1000, beforeMs: window.to * 1000 },
      plan,
      environment,
    );
  }

  /** See {@link graphSql}. */
  graph(): Promise<FiguresRow[]> {
    return this.#ask(graphSql(this.#plan.parts));
  }

  /** A node; null when the window has none of this id. */
  async node(node: string): Promise<FiguresRow | null> {
    return (await this.#ask<FiguresRow>(nodeSql(this.#plan.parts), { node }))[0] ?? null;
  }

  /** See {@link outlineSql}. */
  outline(): Promise<OutlineRow[]> {
    return this.#ask(outlineSql(this.#plan.parts));
  }

  /** A SELECT of the ids of the traces that contain a node, with its parameters. */
  traceIds(node: string): { sql: string; parameters: Parameters } {
    return { sql: traceIdsSql(this.#environments.length > 0), parameters: this.#ofTraces(node) };
  }

  /** Sums over the traces that contain a node. Sessions and users are exact up to 50,000, else within 1 %. */
  async totals(node: string): Promise<TraceTotals> {
    const parameters = this.#ofTraces(node);
    const byEnvironment = this.#environments.length > 0;
    const [found] = await this.reader.query<TraceTotals>(totalsSql(byEnvironment), parameters);
    const totals = found ?? { traces: 0, cost: 0, unpriced: 0, partly_priced: 0, sessions: 0, users: 0 };
    if (closeCount(totals.sessions) && closeCount(totals.users)) return totals;
    const [sessionMask, userMask] = [sampleMask(totals.sessions), sampleMask(totals.users)];
    const [sample] = await this.reader.query<Pick<TraceTotals, 'sessions' | 'users'>>(recountSql(byEnvironment), {
      ...parameters,
      sessionMask,
      userMask,
    });
    return {
      ...totals,
      sessions: closeCount(totals.sessions) ? totals.sessions : (sample?.sessions ?? 0) * (sessionMask + 1),
      users: closeCount(totals.users) ? totals.users : (sample?.users ?? 0) * (userMask + 1),
    };
  }

  /** See {@link sharesSql}; by node. */
  async shares(node: string, affected: readonly string[]): Promise<Map<string, SharedTraces>> {
    if (affected.length === 0) return new Map();
    const rows = await this.reader.query<SharedTraces & { id: string }>(sharesSql(this.#environments.length > 0), {
      ...this.#ofTraces(node),
      affected,
    });
    return new Map(rows.map((row) => [row.id, row]));
  }

  #ofTraces(node: string): Parameters {
    return {
      node,
      fromMs: this.fromMs,
      beforeMs: this.beforeMs,
      ...(this.#environments.length > 0 ? { environments: this.#environments } : {}),
    };
  }

  #ask<T>(sql: string, parameters: Parameters = {}): Promise<T[]> {
    if (!this.#plan.parts.sealed && !this.#plan.parts.dirty) return Promise.resolve([]);
    return this.reader.query<T>(sql, { ...this.#plan.parameters, ...parameters });
  }
}

/** The type and name of a node by its id. */
export function namedBy(id: string): { id: string; type: NodeType; name: string } {
  const colon = id.indexOf(':');
  return { id, type: id.slice(0, colon) as NodeType, name: id.slice(colon + 1) };
}

/** A node as the API returns it. */
export function nodeOf({ target, calls, errors, cost, unpriced, partly_priced: partlyPricedCalls, p95 }: FiguresRow): GraphNode {
  const errorRate = ratio(errors, calls, 0);
  return {
    ...namedBy(target),
    calls,
    errors,
    errorRate,
    cost: exact(cost),
    unpricedCalls: unpriced,
    partlyPricedCalls,
    p95Latency: p95,
  };
}
