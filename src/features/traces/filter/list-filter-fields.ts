import { filterFields, operatorsOf } from '../../../contract/filter/fields.ts';
import type { FilterSubject } from '../../../contract/filter/fields.ts';
import type { FilterFieldList } from '../../../contract/traces.ts';

/** The fields of a list's filter, with their types and operators (docs/filter.md). */
export function listFilterFields(on: FilterSubject): FilterFieldList {
  return {
    fields: filterFields[on].map((field) => ({
      name: field.name,
      type: field.type,
      operators: [...operatorsOf(field)],
      description: field.description,
      ...(field.values === undefined ? {} : { values: [...field.values] }),
    })),
  };
}
