import type { OutcomeKinds, OutcomeKindsQuery } from '../../contract/outcomes.ts';
import type { Tenant } from '../../platform/http/index.ts';
import { timesOf } from '../figures/index.ts';
import { retainedTraces } from '../traces/index.ts';
import { ofEnvironments } from './of-environments.ts';
import type { OutcomesContext } from './outcomes-context.ts';
import { kindsSql, maxKinds } from './outcomes-sql.ts';

interface KindRow {
  kind: string;
  outcomes: number;
  first_ms: number;
  last_ms: number;
}

/**
 * The kinds of outcomes in a range, sorted (docs/semantics.md, "Outcome figures").
 *
 * Errors: `invalid_request` for a range that cannot be read.
 */
export async function listKinds(
  { clickhouse, clock }: OutcomesContext,
  tenant: Tenant,
  { environment, ...range }: OutcomeKindsQuery,
): Promise<OutcomeKinds> {
  const { times, oldestMs } = timesOf(range, tenant.plan, clock.now());
  // Only environments are of traces; the outcomes alone need no look for partly expired ones.
  const traces = environment && (await retainedTraces({ clickhouse, clock }, tenant, 'trace_id, environment'));
  const known = environment && traces ? ofEnvironments(traces.source, environment) : null;
  const reader = traces?.reader ?? clickhouse.forTenant({ projectId: tenant.projectId, oldestMs });
  const wanted = { oneKind: false, traces: known?.text ?? null };
  const rows = await reader.query<KindRow>(kindsSql(wanted), { ...times, ...known?.parameters });
  return {
    kinds: rows.slice(0, maxKinds).map((row) => ({
      kind: row.kind,
      count: row.outcomes,
      firstSeen: new Date(row.first_ms).toISOString(),
      lastSeen: new Date(row.last_ms).toISOString(),
    })),
    ...(rows.length > maxKinds ? { truncated: true } : {}),
  };
}
