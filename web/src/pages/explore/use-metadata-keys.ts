import { useQueries, useQuery } from '@tanstack/react-query';
import type { FilterSubject } from '../../../../src/contract/filter/fields.ts';
import { filterSuggestionsQuery } from '../../api/filters.ts';
import { readKeyColumn } from './key-columns.ts';

/**
 * The most frequent keys of metadata of the last days, as filters name them: `metadata.tenant`, and `metadata.customer.name` in place of an object under
 * `customer`, which has no value itself.
 */
export function useMetadataKeys(projectId: string, on: FilterSubject): readonly string[] {
  const queryOf = (text: string) => filterSuggestionsQuery(projectId, { on, text, cursor: text.length });
  const keysOf = (items: ReadonlyArray<{ insert: string }> = []) =>
    items.flatMap(({ insert }) => readKeyColumn(insert, on) ?? []);
  const keys = keysOf(useQuery(queryOf('metadata.')).data?.items);
  const within = useQueries({ queries: keys.map((key) => queryOf(`${key}.`)) });
  return keys.flatMap((key, index) => {
    const inner = keysOf(within[index]?.data?.items).filter((one) => one.startsWith(`${key}.`));
    return inner.length > 0 ? inner : [key];
  });
}
