import type { FilterSubject } from '../../../../src/contract/filter/fields.ts';
import { maxKeyColumns } from '../../../../src/contract/limits.ts';
import { readColumn } from './column-choice.ts';
import { keyedField } from './facet-choice.ts';

/** Whether a column is a key of metadata or attributes, by its id: `metadata.tenant`. */
export function isKeyColumn(id: string): boolean {
  return /^(?:metadata|attribute)\../.test(id);
}

/** The key of a text that names one, such as `metadata.tenant`, as the id of a column; null for any other. */
export function readKeyColumn(text: string, on: FilterSubject): string | null {
  const field = keyedField(text, on);
  return field !== null && isKeyColumn(field) ? field : null;
}

/** The keys whose values the list is asked for. @param texts of the URL, see `columnText` */
export function askedKeys(texts: string | readonly string[] | undefined, on: FilterSubject): readonly string[] {
  if (texts === undefined) return [];
  const ids = [texts].flat().flatMap((text) => readColumn(text)?.id ?? []);
  // One that the service would refuse takes no list away.
  const keys = ids.filter((id) => readKeyColumn(id, on) === id);
  return [...new Set(keys)].slice(0, maxKeyColumns);
}

/** The parameter of the request for them. */
export function keysRequest(keys: readonly string[]): { column?: string[] } {
  return keys.length === 0 ? {} : { column: [...keys] };
}
