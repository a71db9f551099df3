import { Ajv } from 'ajv';
import type { AnySchemaObject, Options, ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { compilePattern, PatternRefused } from './linear-pattern.ts';

/** Largest schema, as JSON. */
const largestSchema = 32_768;
const deepestSchema = 50;
/** Parts of a schema: alternatives, patterns of names and the like compile in time that grows with the square of their number. */
const mostParts = 1_000;
/** Lists of any length that compile in proportion to it, as far as plain values stand in them. */
const longLists: readonly string[] = ['enum', 'required'];
/** Of all patterns of a schema together, in instructions. */
const largestPatterns = 20_000;

/** A schema that cannot be used; the message ends the sentence "the schema ...". */
export class SchemaRefused extends Error {}

/** The first problem of a value, null when it fits. */
export type SchemaCheck = (value: unknown) => string | null;

/**
 * Compiles a JSON Schema: 2020-12, or draft-07 where its `$schema` says so. Formats are checked; patterns run on the linear-time
 * engine; a `$ref` reaches the schema itself alone. Compiling may take seconds, and checking a value never end (schemas can
 * branch): do both in the measuring thread.
 *
 * Errors: {@link SchemaRefused}.
 */
export function compileSchema(schema: object): SchemaCheck {
  checkSize(schema);
  const dialect = dialectOf(schema);
  let room = largestPatterns;
  const linear = (pattern: string) => {
    const compiled = compilePattern(pattern, '');
    room -= compiled.size;
    if (room < 0) throw new PatternRefused('and the others of the schema are too large; make their repetitions shorter');
    // Ajv takes patterns that write themselves alike for one and the same.
    return { test: (text: string) => compiled.test(text), toString: () => `/${pattern}/` };
  };
  const options: Options = {
    strict: false,
    logger: false,
    ownProperties: true,
    // Each reference stays a call: written out, a small schema could become a very large program.
    inlineRefs: false,
    code: { regExp: Object.assign(linear, { code: 'linear' }) },
  };
  let validate: ValidateFunction;
  try {
    const ajv = dialect === 'draft-07' ? new Ajv(options) : new Ajv2020(options);
    (addFormats as unknown as (ajv: Ajv | Ajv2020) => void)(ajv);
    validate = ajv.compile({ ...schema, $schema: ajv.defaultMeta() as string } as AnySchemaObject);
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'it does not compile';
    if (error instanceof PatternRefused) throw new SchemaRefused(`has a pattern that ${reason}`);
    if (error instanceof RangeError) throw new SchemaRefused('refers to itself without end');
    throw new SchemaRefused(`cannot be used: ${reason.slice(0, 300)}`);
  }
  return (value) => {
    if (validate(value) === true) return null;
    const problem = validate.errors?.[0];
    return `${problem?.instancePath === '' || !problem ? 'the value' : problem.instancePath} ${problem?.message ?? 'does not fit'}`;
  };
}

function dialectOf(schema: object): '2020-12' | 'draft-07' {
  const { $schema: named } = schema as { $schema?: unknown };
  if (named === undefined) return '2020-12';
  const name = typeof named === 'string' ? named.replace(/#$/, '') : '';
  if (name === 'https://json-schema.org/draft/2020-12/schema') return '2020-12';
  if (/^https?:\/\/json-schema\.org\/draft-07\/schema$/.test(name)) return 'draft-07';
  throw new SchemaRefused('has a $schema that is neither 2020-12 nor draft-07; leave it out for 2020-12');
}

function checkSize(schema: object): void {
  if (partsOf(schema) > mostParts)
    throw new SchemaRefused(`has more than ${mostParts} parts: objects, lists, what stands in lists, true and false`);
  if (JSON.stringify(schema).length > largestSchema)
    throw new SchemaRefused(`is larger than ${largestSchema} characters as JSON`);
}

/**
 * How many objects, lists and booleans there are, and whatever else stands in a list, as far as that matters.
 *
 * @param name of the field that the value is in
 */
function partsOf(value: unknown, name = '', depth = 0): number {
  if (typeof value !== 'object' || value === null) return typeof value === 'boolean' ? 1 : 0;
  if (depth > deepestSchema) throw new SchemaRefused(`is nested more than ${deepestSchema} levels deep`);
  const plain = Array.isArray(value) && !longLists.includes(name) ? 1 : 0;
  let parts = 1;
  for (const [field, entry] of Object.entries(value)) {
    parts += partsOf(entry, field, depth + 1) || plain;
    if (parts > mostParts) break;
  }
  return parts;
}
