import { Fields } from './config-fields.ts';

/** A JSON Schema of draft 2020-12. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** A field of a configuration: how its value is checked, described to editors, and filled in where it is left out. */
export interface FieldRule {
  required?: boolean;
  /** The value where it is left out; absent: none. */
  fallback?: unknown;
  schema: JsonSchema;
  check(fields: Fields, name: string): void;
  /** The value with the defaults of what is in it. */
  fill?(value: unknown): unknown;
}

/** The fields of an object, by name. */
export type FieldRules = Readonly<Record<string, FieldRule>>;

export const boolean = (fallback: boolean): FieldRule => ({
  fallback,
  schema: { type: 'boolean', default: fallback },
  check: (fields, name) => fields.boolean(name),
});

export const text = (longest: number, required = false): FieldRule => ({
  required,
  schema: { type: 'string', minLength: 1, maxLength: longest },
  check: (fields, name) => fields.text(name, longest, required),
});

/** A number from `smallest` to `largest`. */
export const number = (smallest: number, largest: number, fallback: number): FieldRule => ({
  fallback,
  schema: { type: 'number', minimum: smallest, maximum: largest, default: fallback },
  check: (fields, name) =>
    fields.number(name, (value) => value >= smallest && value <= largest, `must be a number from ${smallest} to ${largest}`),
});

/** An integer from `smallest` to `largest`, which must be given. */
export const integer = (smallest: number, largest: number): FieldRule => ({
  required: true,
  schema: { type: 'integer', minimum: smallest, maximum: largest },
  check: (fields, name) => {
    const fine = (value: number) => Number.isInteger(value) && value >= smallest && value <= largest;
    fields.number(name, fine, `must be an integer from ${smallest} to ${largest}`, true);
  },
});

interface ListOptions {
  fewest?: number;
  most: number;
  required?: boolean;
  fallback?: readonly string[];
  /** The schema of an item. */
  items: JsonSchema;
  fine(item: string): boolean;
  /** Completes the sentence "The item ...". */
  message: string;
}

/** A list of texts. */
export const texts = ({ fewest = 1, most, required = false, fallback, items, fine, message }: ListOptions): FieldRule => ({
  required,
  ...(fallback && { fallback }),
  schema: { type: 'array', minItems: fewest, maxItems: most, items, ...(fallback && { default: fallback }) },
  check: (fields, name) => {
    const value = fields.value(name);
    if (fewest === 0 && Array.isArray(value) && value.length === 0) return;
    fields.items(name, most, fine, message, required);
  },
});

/** A list of texts of which each is one of `known`. */
export const choices = (known: readonly string[], options: Pick<ListOptions, 'fewest' | 'most' | 'fallback'>): FieldRule =>
  texts({
    ...options,
    items: { enum: known },
    fine: (item) => known.includes(item),
    message: `must be one of ${known.join(', ')}`,
  });

/** A list of objects with fields of their own. @param more checks each further */
export const objects = (most: number, rules: FieldRules, more: (own: Fields) => void): FieldRule => ({
  required: true,
  schema: { type: 'array', minItems: 1, maxItems: most, items: schemaOf(rules) },
  check: (fields, name) => {
    for (const [index, item] of fields.list(name, most, true).entries()) {
      const own = fields.inside(item, `/${name}/${index}`, Object.keys(rules));
      checkFields(rules, own);
      more(own);
    }
  },
  fill: (value) => (Array.isArray(value) ? value.map((item) => filled(rules, item)) : value),
});

/** Checks the fields of an object. */
export function checkFields(rules: FieldRules, fields: Fields): void {
  for (const [name, rule] of Object.entries(rules)) rule.check(fields, name);
}

/** The JSON Schema of an object. */
export function schemaOf(rules: FieldRules): JsonSchema {
  const entries = Object.entries(rules);
  const required = entries.filter(([, rule]) => rule.required).map(([name]) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, { schema }]) => [name, schema])),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

/** An object with the defaults of the fields that it leaves out. */
export function filled(rules: FieldRules, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const result: Record<string, unknown> = { ...value };
  for (const [name, { fallback, fill }] of Object.entries(rules)) {
    if (result[name] === undefined && fallback !== undefined) result[name] = fallback;
    else if (fill) result[name] = fill(result[name]);
  }
  return result;
}
