import { uuidOrNull } from '../../../contract/common.ts';
import { ServiceError } from '../../../contract/errors.ts';
import type { Repricing } from '../../../contract/prices.ts';
import { exact } from '../../../platform/statistics/index.ts';
import type { RepricingRow } from '../tables.ts';
import type { Database } from '../../../platform/postgres/index.ts';

/** Models that an audit entry names. */
const maxNamedModels = 20;

/** A repricing with its figures so far. Errors: `not_found`, also for one of another project. */
export async function getRepricing(db: Database, projectId: string, id: string): Promise<Repricing> {
  const row = await db
    .selectFrom('repricings')
    .selectAll()
    .where('id', '=', uuidOrNull(id))
    .where('project_id', '=', projectId)
    .executeTakeFirst();
  if (row) return recordOf(row);
  throw new ServiceError('not_found', 'There is no such repricing in this project; start one with POST .../prices/reprice.');
}

function recordOf(row: RepricingRow): Repricing {
  return {
    id: row.id,
    status: row.status,
    ...figuresOf(row),
    ...rangeOf(row),
    models: modelsOf(row.models),
    dryRun: row.dry_run,
    createdAt: row.created_at.toISOString(),
    createdBy: row.created_by,
    completedAt: row.finished_at?.toISOString() ?? null,
    error: row.status === 'failed' ? row.error : null,
  };
}

/** The figures of a repricing as the API returns them. */
export function figuresOf(row: Pick<RepricingRow, 'spans' | 'changed' | 'cost_before' | 'cost_after'>) {
  return {
    spans: row.spans,
    changed: row.changed,
    costBefore: exact(Number(row.cost_before)),
    costAfter: exact(Number(row.cost_after)),
  };
}

/** The models of a row of the queue; null: all. */
export function modelsOf(json: string | null): string[] | null {
  return json === null ? null : (JSON.parse(json) as string[]);
}

type Range = Pick<RepricingRow, 'from_ms' | 'before_ms' | 'models'>;

/** What a repricing prices anew, as the audit log has it. */
export function rangeDetail(row: Range) {
  return { ...rangeOf(row), models: modelsOf(row.models)?.slice(0, maxNamedModels) ?? null };
}

function rangeOf({ from_ms, before_ms }: Pick<Range, 'from_ms' | 'before_ms'>) {
  return { from: new Date(from_ms).toISOString(), to: new Date(before_ms - 1).toISOString() };
}
