import type { z } from 'zod';

const maxChoices = 20;

/** The unit of each kind of value, singular and plural. */
const things: Readonly<Record<string, readonly [one: string, more: string]>> = {
  string: ['character', 'characters'],
  array: ['entry', 'entries'],
  set: ['entry', 'entries'],
  object: ['field', 'fields'],
  map: ['entry', 'entries'],
};
const formats: Readonly<Record<string, string>> = {
  email: 'must be an email address',
  uuid: 'must be a UUID',
  url: 'must be a URL',
  datetime: 'must be an ISO 8601 date and time, for example 2026-11-20T10:00:00.000Z',
  date: 'must be a date, for example 2026-11-20',
};

/**
 * The constraint that a field violates, as the end of a sentence that begins with the field: "must have at least 8 characters". Never repeats
 * the value, which may be a secret. Undefined: zod's own text is used.
 */
export function validationMessage(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is required' : `must be ${kindOf(issue.expected)}`;
    case 'too_small':
      if (issue.minimum === 1 && things[issue.origin] !== undefined) return 'must not be empty';
      return bound('at least', 'more than', issue.origin, issue.minimum, issue.inclusive);
    case 'too_big':
      return bound('at most', 'less than', issue.origin, issue.maximum, issue.inclusive);
    case 'invalid_value':
      return issue.values.length === 1 ? `must be ${JSON.stringify(issue.values[0])}` : oneOf(issue.values);
    case 'invalid_union':
      return issue.inclusive === false || issue.options === undefined ? undefined : oneOf(issue.options);
    case 'invalid_format':
      return formats[issue.format];
    case 'unrecognized_keys':
      return 'is not a known field; leave it out';
    default:
      return undefined;
  }
}

function oneOf(values: readonly unknown[]): string {
  return `must be one of ${values.slice(0, maxChoices).map(String).join(', ')}`;
}

function bound(
  inclusively: string,
  exclusively: string,
  origin: string,
  limit: number | bigint,
  inclusive: boolean | undefined,
): string {
  const thing = things[origin];
  const words = inclusive === false ? exclusively : inclusively;
  if (thing === undefined) return `must be ${words} ${limit}`;
  return `must have ${words} ${limit} ${thing[Number(limit) === 1 ? 0 : 1]}`;
}

function kindOf(expected: string): string {
  if (expected === 'int') return 'a whole number';
  // A record is zod's word for an object of any names.
  if (expected === 'record') return 'an object';
  return /^[aeiou]/.test(expected) ? `an ${expected}` : `a ${expected}`;
}
