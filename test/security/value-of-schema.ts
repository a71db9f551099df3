import fc from 'fast-check';
import { hostileJson, hostileText } from './hostile-values.ts';

/** The keywords of JSON Schema that the OpenAPI document uses. */
export interface JsonSchema {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  items?: JsonSchema;
  prefixItems?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  format?: string;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  minItems?: number;
}

export interface ValueOptions {
  /** Ids of existing objects. */
  ids: readonly string[];
  /** Percentage of values that are hostile instead of fitting the schema. */
  hostilePercent: number;
}

/** Values that fit a schema, except that each part may be replaced by a hostile value. */
export function valueOfSchema(schema: JsonSchema, options: ValueOptions, depth = 0): fc.Arbitrary<unknown> {
  const fitting = depth > 6 ? fc.constant(null) : fittingValue(schema, options, depth + 1);
  if (options.hostilePercent === 0) return fitting;
  return fc.oneof(
    { weight: 100 - options.hostilePercent, arbitrary: fitting },
    { weight: options.hostilePercent, arbitrary: hostileJson },
  );
}

function fittingValue(schema: JsonSchema, options: ValueOptions, depth: number): fc.Arbitrary<unknown> {
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return fc.oneof(...choices.map((choice) => valueOfSchema(choice, options, depth)));
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.const !== undefined) return fc.constant(schema.const);
  const types = [schema.type ?? []].flat();
  const type = types[0] ?? (schema.properties ? 'object' : undefined);
  switch (type) {
    case 'object':
      return objectOf(schema, options, depth);
    case 'array':
      if (schema.prefixItems) return fc.tuple(...schema.prefixItems.map((item) => valueOfSchema(item, options, depth)));
      return fc.array(valueOfSchema(schema.items ?? {}, options, depth), {
        minLength: Math.min(schema.minItems ?? 0, 2),
        maxLength: 3,
      });
    case 'string':
      return textOf(schema, options);
    case 'integer':
      return fc.integer({ min: Math.max(schema.minimum ?? 0, -1000), max: Math.min(schema.maximum ?? 1000, 1000) });
    case 'number':
      return fc.double({ min: Math.max(schema.minimum ?? 0, -1000), max: Math.min(schema.maximum ?? 1000, 1000), noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

function objectOf(schema: JsonSchema, options: ValueOptions, depth: number): fc.Arbitrary<unknown> {
  const properties = Object.entries(schema.properties ?? {});
  const known = fc.record(
    Object.fromEntries(properties.map(([name, property]) => [name, valueOfSchema(property, options, depth)])),
    { requiredKeys: schema.required?.filter((name) => name in (schema.properties ?? {})) ?? [] },
  );
  if (schema.additionalProperties === undefined || schema.additionalProperties === false) return known;
  const further = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : {};
  return fc
    .tuple(known, fc.dictionary(hostileText, valueOfSchema(further, options, depth), { maxKeys: 2 }))
    .map(([own, more]) => ({ ...own, ...more }));
}

function textOf({ format, maxLength }: JsonSchema, { ids }: ValueOptions): fc.Arbitrary<string> {
  if (format === 'uuid') return fc.oneof(fc.constantFrom(...ids), fc.uuid());
  if (format === 'date-time') return fc.constantFrom('2026-11-20T10:00:00.000Z', '2026-11-21T10:00:00+02:00');
  if (format === 'email') return fc.nat(1_000_000).map((n) => `fuzz${n}@example.com`);
  const most = Math.min(maxLength ?? 30, 30);
  return fc.oneof(
    fc.constantFrom(...ids),
    fc.string({ unit: 'grapheme', maxLength: most }),
    fc.constantFrom('a', 'text', '7d', '1').filter((text) => text.length <= most),
  );
}
