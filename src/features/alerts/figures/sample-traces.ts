import { alertTypes } from '../../../contract/alert-types/index.ts';
import type { TenantReader } from '../../../platform/clickhouse/index.ts';
import { maxSampleTraces } from '../../incidents/index.ts';
import type { Condition } from '../condition.ts';
import { sourceOf } from './source-sql.ts';

/** Newest checks of a scope among which triggered ones are looked for. */
const maxChecks = 100;

/** How traces are ordered by their rows, the worst first. Only traces with `worst` rows count; null: a figure has no traces. */
function orderOf({ type, figure }: Condition): { rows: string; worst: string } | null {
  const lowest = alertTypes[type].fires === 'below';
  if (figure.of === 'scores') return { rows: `trace_id != ''`, worst: lowest ? 'min(x) ASC' : 'max(x) DESC' };
  if (figure.of !== 'calls') return null;
  if (figure.aggregate === 'p95') return { rows: 'x >= 0', worst: lowest ? 'min(x) ASC' : 'max(x) DESC' };
  const worst = `sum(x) ${lowest ? 'ASC' : 'DESC'}`;
  // Many traces have the same count of what a mean is of: the newest of them come first.
  return { rows: lowest ? '1' : 'x > 0', worst: figure.aggregate === 'mean' ? `${worst}, max(start_time) DESC` : worst };
}

/** The worst traces of some scopes in the window that ends at `nowMs`, by scope, the worst first; at most 20 each (docs/semantics.md, "Incidents"). */
export async function sampleTraces(
  reader: TenantReader,
  condition: Condition,
  nowMs: number,
  scopes: readonly string[],
): Promise<ReadonlyMap<string, string[]>> {
  const times = { fromMs: nowMs - condition.windowMs, beforeMs: nowMs + 1 };
  const rows = await (condition.figure.of === 'checks'
    ? triggeredTraces(reader, condition, { ...times, scopes: [...scopes] })
    : worstTraces(reader, condition, { ...times, scopes: [...scopes] }));
  const samples = new Map<string, string[]>();
  for (const { scope, trace_id: traceId } of rows) {
    const traces = samples.get(scope) ?? [];
    if (traces.length < maxSampleTraces && !traces.includes(traceId)) traces.push(traceId);
    samples.set(scope, traces);
  }
  return samples;
}

interface TraceOfScope {
  scope: string;
  trace_id: string;
}

async function worstTraces(
  reader: TenantReader,
  condition: Condition,
  bound: { fromMs: number; beforeMs: number; scopes: string[] },
): Promise<TraceOfScope[]> {
  const order = orderOf(condition);
  if (!order) return [];
  const { text, parameters } = sourceOf(condition, bound.beforeMs - 1, { traces: true });
  return reader.query<TraceOfScope>(
    `SELECT scope, trace_id
FROM (
  ${text}
)
WHERE scope IN {scopes:Array(String)} AND ${order.rows}
GROUP BY scope, trace_id
ORDER BY scope, ${order.worst}, trace_id
LIMIT ${maxSampleTraces} BY scope`,
    { ...parameters, ...bound },
  );
}

/** Traces with a span of a check that triggered, or in which a guardrail failed, the newest first. Checks without a trace leave none. */
async function triggeredTraces(
  reader: TenantReader,
  { filter, environment, groupBy, count }: Condition,
  bound: { fromMs: number; beforeMs: number; scopes: string[] },
): Promise<TraceOfScope[]> {
  const scope = groupBy === null ? `''` : 'toString(environment)';
  const rows = await reader.query<TraceOfScope & { output: string }>(
    `SELECT ${scope} AS scope, trace_id, output
FROM spans FINAL
WHERE start_time >= fromUnixTimestamp64Milli({fromMs:Int64}) AND start_time < fromUnixTimestamp64Milli({beforeMs:Int64})
  AND kind = 'guardrail' AND span_id != ''${environment === null ? '' : ' AND environment = {environment:String}'}
  AND ${scope} IN {scopes:Array(String)}
ORDER BY start_time DESC, trace_id, span_id
LIMIT ${maxChecks} BY scope`,
    { ...bound, ...(environment === null ? {} : { environment }) },
  );
  const counts = count === 'failed' ? failed : triggered;
  return rows.filter(({ output }) => counts(output, filter.guardrails));
}

interface CheckOutput {
  action?: unknown;
  results?: unknown;
}

function failed(output: string, guardrails: readonly string[] | undefined): boolean {
  const { results } = parsed(output);
  return (
    Array.isArray(results) &&
    results.some((result: { guardrail?: unknown; failed?: unknown } | null) => {
      const { guardrail, failed: own } = result ?? {};
      return own === true && (guardrails === undefined || (typeof guardrail === 'string' && guardrails.includes(guardrail)));
    })
  );
}

function triggered(output: string, guardrails: readonly string[] | undefined): boolean {
  const { action, results } = parsed(output);
  if (guardrails === undefined) return typeof action === 'string' && action !== 'allow';
  return (
    Array.isArray(results) &&
    results.some((result: { guardrail?: unknown; action?: unknown } | null) => {
      const { guardrail, action: own } = result ?? {};
      return typeof guardrail === 'string' && guardrails.includes(guardrail) && typeof own === 'string' && own !== 'allow';
    })
  );
}

/** Spans of kind `guardrail` may come from applications, with any output. */
function parsed(output: string): CheckOutput {
  try {
    const value: unknown = JSON.parse(output);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
