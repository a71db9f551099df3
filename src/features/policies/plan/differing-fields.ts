import { isDeepStrictEqual } from 'node:util';
import { configWithDefaults } from '../../../../packages/guardrails/src/index.ts';
import type { PlannedChange } from '../../../contract/policies.ts';
import { isRecord, jsonPointer } from '../../../platform/json/index.ts';
import { compareCodePoints } from '../../../platform/text/index.ts';
import type { Specification } from '../../policy-revisions/index.ts';

type DifferingField = PlannedChange['fields'][number];

/**
 * The fields in which two specifications of a policy differ, by path: one for each differing leaf or list. A field that is left out equals one with
 * its default. `before` and `after` are as they were given, null where absent.
 */
export function differingFields(before: Specification, after: Specification): DifferingField[] {
  const fields: DifferingField[] = [];
  compare(fields, '', [withDefaults(before), withDefaults(after)], [before.spec, after.spec]);
  return fields.toSorted((left, right) => compareCodePoints(left.path, right.path));
}

function withDefaults({ kind, spec }: Specification): unknown {
  return kind === 'Guardrail' ? { ...spec, config: configWithDefaults(spec.type, spec.config) } : spec;
}

type Pair = readonly [before: unknown, after: unknown];

/** @param given the values without the defaults */
function compare(fields: DifferingField[], path: string, [before, after]: Pair, given: Pair): void {
  const names = sharedNames(before, after);
  if (names !== null) {
    const under = (values: Pair, name: string): Pair => [valueOf(values[0], name), valueOf(values[1], name)];
    for (const name of names) {
      compare(fields, `${path}${jsonPointer([name])}`, under([before, after], name), under(given, name));
    }
  } else if (!isDeepStrictEqual(before, after) && (given[0] !== undefined || given[1] !== undefined)) {
    // Of another type, what neither gives differs by its default only.
    fields.push({ path, before: given[0] ?? null, after: given[1] ?? null });
  }
}

/** The names in two objects, or in one where there is nothing to compare it with; null for leaves and lists. */
function sharedNames(before: unknown, after: unknown): string[] | null {
  if (before !== undefined && !isRecord(before)) return null;
  if (after !== undefined && !isRecord(after)) return null;
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return names.length === 0 && (before === undefined) !== (after === undefined) ? null : names;
}

function valueOf(values: unknown, name: string): unknown {
  return isRecord(values) && Object.hasOwn(values, name) ? values[name] : undefined;
}
