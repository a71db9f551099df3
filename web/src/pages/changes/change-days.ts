import type { Change } from '../../api/service.ts';
import { formatDate } from '../../format/time-format.ts';

/** The changes of one day. */
export interface ChangeDay {
  /** For people. */
  day: string;
  changes: readonly Change[];
}

/**
 * Groups changes by day, in their order.
 *
 * @param dayOf the day of a moment for people, in their time zone
 */
export function changeDays(changes: readonly Change[], dayOf: (iso: string) => string = formatDate): ChangeDay[] {
  return [...Map.groupBy(changes, ({ at }) => dayOf(at))].map(([day, own]) => ({ day, changes: own }));
}

/** The values of a field in a list of changes, sorted, with the chosen one. */
export function valuesOf(changes: readonly Change[], field: 'environment' | 'service', chosen: string | undefined): string[] {
  const values = new Set(changes.flatMap((change) => change[field] ?? []));
  if (chosen !== undefined) values.add(chosen);
  return [...values].toSorted();
}
