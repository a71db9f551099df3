import { isDeepStrictEqual } from 'node:util';
import { defaultActionOf } from '../../../contract/guardrails.ts';
import type { GuardrailBody, GuardrailChange } from '../../../contract/guardrails.ts';
import type { GuardrailSpec } from '../../policy-revisions/index.ts';

/** What a request creates. */
export function specificationOfBody({ slug, name = slug, action, ...given }: GuardrailBody): GuardrailSpec {
  return { ...given, displayName: name, action: action ?? defaultActionOf(given.type) };
}

/** A specification with the given fields replaced. */
export function changedSpecification(before: GuardrailSpec, { name, ...given }: GuardrailChange): GuardrailSpec {
  const fields = Object.entries(given).filter(([, value]) => value !== undefined);
  return { ...before, ...Object.fromEntries(fields), displayName: name ?? before.displayName };
}

/** The names, as a record has them, of the fields in which two specifications differ. */
export function changedFields(before: GuardrailSpec, after: GuardrailSpec): string[] {
  const names = Object.keys(before) as Array<keyof GuardrailSpec>;
  return names
    .filter((name) => !isDeepStrictEqual(asStored(before[name]), asStored(after[name])))
    .map((name) => (name === 'displayName' ? 'name' : name));
}

/** A value as it is read back: -0 is stored as 0, and an absent field is not stored. */
function asStored(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
