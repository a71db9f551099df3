import type { RangeQuery } from '../../contract/common.ts';
import type { OutcomeKinds } from '../../contract/outcomes.ts';
import type { Tenant } from '../../platform/http/index.ts';
import type { OutcomesContext } from './outcomes-context.ts';
import { kindsSql, maxKinds } from './outcomes-sql.ts';
import { timesOf } from './times-of.ts';

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
  { projectId, plan }: Tenant,
  query: RangeQuery,
): Promise<OutcomeKinds> {
  const { times, oldestMs } = timesOf(query, plan, clock.now());
  const rows = await clickhouse.forTenant({ projectId, oldestMs }).query<KindRow>(kindsSql, times);
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
