import type { PlannedChange } from '../../../contract/policies.ts';
import type { Specification } from '../../policy-revisions/index.ts';

/** A field's default, where it has one: docs/semantics.md, "Policies". */
const defaults: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  blocklist: { '/config/ignoreCase': true, '/config/wholeWords': true },
  pii: { '/config/entities': ['email', 'payment_card', 'iban', 'us_ssn', 'ip_address', 'phone'], '/config/phoneRegions': ['US'] },
  secrets: { '/config/exclude': [] },
  prompt_injection: { '/config/threshold': 0.5 },
};

/** Leaves and lists of a specification by JSON pointer. */
function leaves(value: unknown, path: string, found: Map<string, unknown>): Map<string, unknown> {
  const isBranch = typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0;
  if (!isBranch) return found.set(path, value);
  for (const [key, child] of Object.entries(value))
    leaves(child, `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`, found);
  return found;
}

function comparable({ kind, spec }: Specification, pointer: string, value: unknown): string {
  const fallback = kind === 'Guardrail' ? defaults[spec.type]?.[pointer] : undefined;
  const filled = value === undefined ? fallback : value;
  if (kind === 'Guardrail' && spec.type === 'regex' && pointer === '/config/patterns' && Array.isArray(filled)) {
    return sorted(filled.map((pattern: object) => ({ ignoreCase: false, ...pattern })));
  }
  return sorted(filled);
}

/** JSON with the members of objects in order. */
function sorted(value: unknown): string {
  return (
    JSON.stringify(value, (_key, member: unknown) =>
      typeof member === 'object' && member !== null && !Array.isArray(member)
        ? Object.fromEntries(Object.entries(member).toSorted(([left], [right]) => (left < right ? -1 : 1)))
        : member,
    ) ?? 'absent'
  );
}

/** The value at a JSON pointer; undefined where there is none. */
function valueAt(spec: object, pointer: string): unknown {
  const steps = pointer.split('/').slice(1);
  return steps.reduce<unknown>(
    (value, step) => (value as Record<string, unknown> | undefined)?.[step.replaceAll('~1', '/').replaceAll('~0', '~')],
    spec,
  );
}

/**
 * The differing fields, from a comparison of all leaves. A leaf against an object is one field; an empty object is a leaf, unless the other side has
 * members there.
 */
export function fieldsOfOracle(before: Specification, after: Specification): PlannedChange['fields'] {
  const [left, right] = [leaves(before.spec, '', new Map()), leaves(after.spec, '', new Map())];
  for (const map of [left, right]) if (sorted(map.get('/config')) === '{}') map.delete('/config');
  const dropEmpty = (own: Map<string, unknown>, other: Map<string, unknown>) => {
    for (const [pointer, value] of own) {
      if (sorted(value) === '{}' && [...other.keys()].some((key) => key.startsWith(`${pointer}/`))) own.delete(pointer);
    }
  };
  dropEmpty(left, right);
  dropEmpty(right, left);
  const isUnderLeaf = (pointer: string) =>
    [left, right].some((map) => [...map.keys()].some((leaf) => pointer.startsWith(`${leaf}/`)));
  return [...new Set([...left.keys(), ...right.keys()])]
    .filter((pointer) => !isUnderLeaf(pointer))
    .map((path) => ({ path, before: valueAt(before.spec, path), after: valueAt(after.spec, path) }))
    .filter((field) => comparable(before, field.path, field.before) !== comparable(after, field.path, field.after))
    .map((field) => ({ path: field.path, before: field.before ?? null, after: field.after ?? null }));
}
