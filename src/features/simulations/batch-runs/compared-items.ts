import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { ItemChange } from '../../../contract/simulations.ts';
import type { BatchRunRow } from '../tables.ts';

/**
 * SQL of the conditions under which an item has changed (docs/semantics.md, "Compared items"), over the statuses `item.status` and `base.status`, of which the
 * latter is NULL without a baseline's item.
 */
export const changeConditions: Readonly<Record<ItemChange, RawBuilder<boolean>>> = {
  regressed: sql<boolean>`(base.status = 'passed' AND item.status IN ('failed', 'error'))`,
  improved: sql<boolean>`((base.status IN ('failed', 'error') AND item.status = 'passed') OR (base.status = 'error' AND item.status = 'failed'))`,
  unchanged: sql<boolean>`(base.status = item.status AND item.status IN ('passed', 'failed', 'error'))`,
  newly_failing: sql<boolean>`(base.status IN ('passed', 'failed') AND item.status = 'error')`,
};

/** The changes of an item, as the conditions of {@link changeConditions} have them. @param base null without a baseline's item */
export function changesOf(status: string, base: string | null): ItemChange[] {
  const rank = ['error', 'failed', 'passed'];
  const [now, before] = [rank.indexOf(status), rank.indexOf(base ?? '')];
  if (now < 0 || before < 0) return [];
  const changes: ItemChange[] = [];
  if (status !== 'passed' && base === 'passed') changes.push('regressed');
  if (now > before) changes.push('improved');
  if (now === before) changes.push('unchanged');
  if (status === 'error' && base !== 'error') changes.push('newly_failing');
  return changes;
}

/** SQL that joins the baseline's items as `base` to items as `item`: the same repetition, or the last one where the baseline has fewer. */
export function joinBaseline({ id, repetitions }: Pick<BatchRunRow, 'id' | 'repetitions'>): RawBuilder<unknown> {
  return sql`LEFT JOIN simulation_items AS base ON base.batch_run_id = ${id}::uuid AND base.place = item.place
    AND base.repetition = least(item.repetition, ${repetitions}::int) AND base.dataset_item_id = item.dataset_item_id`;
}
