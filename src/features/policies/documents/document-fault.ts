import { z } from 'zod';
import { validationMessage } from '../../../platform/http/validation-message.ts';
import { policyDocuments } from '../../../contract/policies.ts';
import { cutText } from '../../../platform/text/index.ts';
import { nearestName } from '../../../contract/nearest-name.ts';
import { findPlace } from './placed-value.ts';
import type { PlacedValue, TextFault } from './placed.ts';
import { echo } from './echo.ts';

const kinds: Readonly<Record<string, string>> = {
  object: 'a mapping',
  array: 'a list',
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
};

type Issue = z.core.$ZodIssue;

/** The faults of one issue: an unknown field at its key, a missing one at the mapping, a wrong value at the value. */
export function faultOfIssue(root: PlacedValue, issue: Issue): TextFault[] {
  const path = issue.path.map((step) => (typeof step === 'symbol' ? step.toString() : step));
  const field = path.join('.');
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => {
      const { keyOffset, offset } = findPlace(root, [...path, key]);
      const name = field === '' ? key : `${field}.${key}`;
      const known = knownFields(root, path);
      return { offset: keyOffset ?? offset, message: `There is no field \`${cutText(name, 200)}\`. ${withNearest(key, known)}` };
    });
  }
  const { offset, value } = findPlace(root, path);
  if (value === undefined) return [{ offset, message: `\`${field}\` is required.` }];
  const what = messageOf(issue);
  const nearest =
    issue.code === 'invalid_value' && typeof issue.input === 'string'
      ? ` ${withNearest(issue.input, issue.values.map(String))}`
      : '';
  return [{ offset, message: `\`${field}\` ${what}; got ${echo(issue.input)}.${nearest}` }];
}

function messageOf(issue: Issue): string {
  if (issue.code === 'invalid_type') return `must be ${kinds[issue.expected] ?? issue.expected}`;
  return validationMessage(issue as z.core.$ZodRawIssue) ?? issue.message;
}

/** The fields of the mapping at a path of a document. */
function knownFields(root: PlacedValue, path: ReadonlyArray<string | number>): string[] {
  const kind = findPlace(root, ['kind']).value;
  let schema: unknown = policyDocuments[kind?.type === 'scalar' && kind.value === 'Guardrail' ? 'Guardrail' : 'Environment'];
  for (const step of path) schema = schema instanceof z.ZodObject ? unwrapped(schema.shape[step]) : undefined;
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}

function unwrapped(schema: unknown): unknown {
  return schema instanceof z.ZodPrefault ? unwrapped(schema.unwrap()) : schema;
}

/** Suggests the known name that is nearest to a name. */
export function withNearest(name: string, known: readonly string[]): string {
  return `Did you mean \`${nearestName(name, known)}\`?`;
}
