import { Ajv } from 'ajv';
import type { AnySchemaObject, Options, ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { compilePattern, PatternRefused } from './linear-pattern.ts';

/** Characters of a schema as JSON. */
const maxSchemaLength = 32_768;
const maxSchemaDepth = 50;
/** Parts of a schema (see {@link partsOf}): alternatives and property patterns compile in quadratic time. */
const maxParts = 1_000;
/** Keywords whose lists of plain values compile in linear time and do not count as parts. */
const longLists: readonly string[] = ['enum', 'required'];
/** Instructions of all patterns of a schema together. */
const maxPatternSize = 20_000;

/**
 * Errors that checking one value may collect. Ajv keeps the error of each alternative that fails until one fits, and references between
 * alternatives double them at each level. Some hundred bytes each, they stay far below the heap limit of the thread: V8 aborts the whole
 * process when a thread at its limit asks for one large block, such as a longer array of errors.
 */
const maxErrors = 500_000;
const tooManyErrors = `more than ${maxErrors} errors`;

/** A schema that cannot be used; the message completes the sentence "the schema ...". */
export class SchemaRefused extends Error {}

/** Returns the first problem of a value, null when it is valid. */
export type SchemaCheck = (value: unknown) => string | null;

/**
 * Compiles a JSON Schema: 2020-12, or draft-07 if `$schema` names it. Formats are checked; patterns run on the linear-time engine; a
 * `$ref` can point into the same schema only. Compiling may take seconds and checking a value exponential time, so both run in the
 * measuring thread.
 *
 * Errors: {@link SchemaRefused}.
 */
export function compileSchema(schema: object): SchemaCheck {
  checkSize(schema);
  const dialect = dialectOf(schema);
  let room = maxPatternSize;
  const linear = (pattern: string) => {
    const compiled = compilePattern(pattern, '');
    room -= compiled.size;
    if (room < 0)
      throw new PatternRefused('too_large', 'and the others of the schema are too large; make their repetitions shorter');
    // Ajv caches patterns by their text.
    return { test: (text: string) => compiled.test(text), toString: () => `/${pattern}/` };
  };
  const options: Options = {
    strict: false,
    logger: false,
    ownProperties: true,
    // Inlined, a small schema with many references becomes a very large program.
    inlineRefs: false,
    code: { regExp: Object.assign(linear, { code: 'linear' }), process: withBoundedErrors },
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
    try {
      if (validate(value) === true) return null;
    } catch (error) {
      if (!(error instanceof RangeError) || error.message !== tooManyErrors) throw error;
      throw new SchemaRefused('has alternatives that fail in too many places; make it simpler');
    }
    const problem = validate.errors?.[0];
    return `${problem?.instancePath === '' || !problem ? 'the value' : problem.instancePath} ${problem?.message ?? 'does not fit'}`;
  };
}

/** String literals, which hold text of the schema, and the statements by which Ajv's code counts its errors and those of a reference. */
const literalOrCount = /"(?:[^"\\]|\\.)*"|errors\+\+;|errors = vErrors\.length;/g;

/** The code that Ajv has generated for a schema, which throws {@link tooManyErrors} beyond {@link maxErrors}. */
function withBoundedErrors(code: string): string {
  const check = `if(errors>${maxErrors})throw new RangeError(${JSON.stringify(tooManyErrors)});`;
  return code.replace(literalOrCount, (match) => (match.startsWith('"') ? match : match + check));
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
  if (partsOf(schema) > maxParts)
    throw new SchemaRefused(`has more than ${maxParts} parts: objects, lists, what stands in lists, true and false`);
  if (JSON.stringify(schema).length > maxSchemaLength)
    throw new SchemaRefused(`is larger than ${maxSchemaLength} characters as JSON`);
}

/**
 * Counts objects, lists, booleans and entries of lists, up to {@link maxParts}.
 *
 * @param name key of the value
 */
function partsOf(value: unknown, name = '', depth = 0): number {
  if (typeof value !== 'object' || value === null) return typeof value === 'boolean' ? 1 : 0;
  if (depth > maxSchemaDepth) throw new SchemaRefused(`is nested more than ${maxSchemaDepth} levels deep`);
  const plain = Array.isArray(value) && !longLists.includes(name) ? 1 : 0;
  let parts = 1;
  for (const [field, entry] of Object.entries(value)) {
    parts += partsOf(entry, field, depth + 1) || plain;
    if (parts > maxParts) break;
  }
  return parts;
}
