import { keyOfStep, pointerStep } from '../json-pointer.ts';
import { compilePattern, PatternError } from '../pattern.ts';
import type { Pattern } from '../pattern.ts';

export type SchemaObject = Readonly<Record<string, unknown>>;
export type Schema = boolean | SchemaObject;

/** A fault in a schema; `path` is a JSON pointer into it. The message completes the sentence "The value ...". */
export interface SchemaProblem {
  path: string;
  message: string;
}

/** A schema, with what its references and patterns stand for. */
export interface SchemaDocument {
  root: Schema;
  /** What each `$ref` or `$dynamicRef` means, by its holder. */
  targets: ReadonlyMap<SchemaObject, Schema>;
  patterns: ReadonlyMap<string, Pattern>;
  /** Whether nothing else counts beside a `$ref`, as in draft 7. */
  referencesStandAlone: boolean;
}

const schemaKeywords =
  'additionalItems additionalProperties contains else if items not propertyNames then unevaluatedItems unevaluatedProperties'.split(
    ' ',
  );
const listKeywords = ['allOf', 'anyOf', 'oneOf', 'prefixItems', 'items'];
const mapKeywords = ['$defs', 'definitions', 'dependentSchemas', 'patternProperties', 'properties', 'dependencies'];
const types = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'];
const counts = ['maxContains', 'maxItems', 'maxLength', 'maxProperties', 'minContains', 'minItems', 'minLength', 'minProperties'];
const bounds = ['exclusiveMaximum', 'exclusiveMinimum', 'maximum', 'minimum', 'multipleOf'];

/** What `$schema` names drafts up to 7. */
const earlyDrafts = /^https?:\/\/json-schema\.org\/draft-0[1-7]\/schema#?$/;

/** Distinct patterns of a schema: each takes up to a few milliseconds to compile. */
const maxPatterns = 200;
/** Schemas with an `$id` or anchor: each reference may be compared with all of them. */
const maxNames = 1_000;
/** Characters of a pattern. */
const longestPattern = 10_000;

export function isObject(value: unknown): value is SchemaObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isSchema(value: unknown): value is Schema {
  return typeof value === 'boolean' || isObject(value);
}

/** Reads a schema and finds its faults. */
export function readSchema(root: unknown): { document: SchemaDocument; problems: SchemaProblem[] } {
  const problems: SchemaProblem[] = [];
  const targets = new Map<SchemaObject, Schema>();
  const patterns = new Map<string, Pattern>();
  const named = new Map<string, Schema>();
  const seen: Array<{ schema: SchemaObject; path: string; base: string }> = [];

  const visit = (value: unknown, path: string, base: string, depth: number): void => {
    if (!isSchema(value)) problems.push({ path, message: 'must be a schema: an object, true or false' });
    else if (depth > 100) problems.push({ path, message: 'is nested too deeply; 100 levels are allowed' });
    else if (typeof value === 'object') {
      const own = typeof value['$id'] === 'string' ? value['$id'].replace(/#$/, '') : base;
      if (own !== base) named.set(own, value);
      for (const key of ['$anchor', '$dynamicAnchor'])
        if (typeof value[key] === 'string') named.set(`${own}#${value[key]}`, value);
      seen.push({ schema: value, path, base: own });
      problems.push(...faultsOf(value, path));
      readPatterns(value, path, patterns, problems);
      for (const [at, child] of childrenOf(value, path)) visit(child, at, own, depth + 1);
    }
  };
  visit(root, '', '', 0);
  if (named.size > maxNames) {
    problems.push({ path: '', message: `has more than ${maxNames} schemas with an $id or anchor` });
    named.clear();
  }
  for (const { schema, path, base } of seen) {
    for (const key of ['$ref', '$dynamicRef']) {
      const reference = schema[key];
      if (typeof reference !== 'string') continue;
      const target = resolve(reference, base, root, named);
      if (target === undefined) problems.push({ path: `${path}/${key}`, message: 'must refer to a schema in this document' });
      else targets.set(schema, target);
    }
  }
  const referencesStandAlone = isObject(root) && typeof root['$schema'] === 'string' && earlyDrafts.test(root['$schema']);
  return { document: { root: isSchema(root) ? root : false, targets, patterns, referencesStandAlone }, problems };
}

/** The schemas inside a schema, with their pointers. */
function childrenOf(schema: SchemaObject, path: string): Array<[path: string, child: unknown]> {
  const children: Array<[string, unknown]> = [];
  for (const key of schemaKeywords) {
    if (schema[key] !== undefined && !Array.isArray(schema[key])) children.push([`${path}/${key}`, schema[key]]);
  }
  for (const key of listKeywords) {
    if (Array.isArray(schema[key]))
      for (const [index, child] of schema[key].entries()) children.push([`${path}/${key}/${index}`, child]);
  }
  for (const key of mapKeywords) {
    if (!isObject(schema[key])) continue;
    for (const [name, child] of Object.entries(schema[key])) {
      if (key !== 'dependencies' || !Array.isArray(child)) children.push([`${path}/${key}/${pointerStep(name)}`, child]);
    }
  }
  return children;
}

/** Values of keywords that have the wrong type. */
function faultsOf(schema: SchemaObject, path: string): SchemaProblem[] {
  const problems: SchemaProblem[] = [];
  const check = (key: string, fine: (value: unknown) => boolean, message: string) => {
    if (schema[key] !== undefined && !fine(schema[key])) problems.push({ path: `${path}/${key}`, message });
  };
  const isType = (value: unknown) => typeof value === 'string' && types.includes(value);
  check(
    'type',
    (value) => isType(value) || (Array.isArray(value) && value.every(isType)),
    `must be one of ${types.join(', ')}, or a list of them`,
  );
  check('enum', Array.isArray, 'must be a list');
  check(
    'required',
    (value) => Array.isArray(value) && value.every((name) => typeof name === 'string'),
    'must be a list of names',
  );
  check('uniqueItems', (value) => typeof value === 'boolean', 'must be true or false');
  for (const key of counts) check(key, (value) => Number.isInteger(value) && Number(value) >= 0, 'must be an integer, 0 or more');
  for (const key of bounds) {
    check(key, (value) => typeof value === 'number' && (key !== 'multipleOf' || value > 0), 'must be a number');
  }
  for (const key of ['allOf', 'anyOf', 'oneOf'])
    check(key, (value) => Array.isArray(value) && value.length > 0, 'must be a list of schemas');
  for (const key of mapKeywords) check(key, isObject, 'must be an object of schemas');
  return problems;
}

function readPatterns(schema: SchemaObject, path: string, patterns: Map<string, Pattern>, problems: SchemaProblem[]): void {
  const sources: Array<[string, unknown]> = schema['pattern'] === undefined ? [] : [[`${path}/pattern`, schema['pattern']]];
  if (isObject(schema['patternProperties'])) {
    for (const source of Object.keys(schema['patternProperties']))
      sources.push([`${path}/patternProperties/${pointerStep(source)}`, source]);
  }
  for (const [at, source] of sources) {
    try {
      if (typeof source !== 'string' || source.length > longestPattern) {
        problems.push({ path: at, message: `must be a text of at most ${longestPattern} characters` });
      } else if (patterns.has(source)) continue;
      else if (patterns.size >= maxPatterns)
        problems.push({ path: at, message: `is one pattern too many; ${maxPatterns} are allowed` });
      else patterns.set(source, compilePattern(source));
    } catch (error) {
      if (!(error instanceof PatternError)) throw error;
      problems.push({ path: at, message: error.message });
    }
  }
}

/** The schema whose name ends with a relative one. */
function relative(id: string, named: ReadonlyMap<string, Schema>): Schema | undefined {
  for (const [name, schema] of named) if (name.endsWith(`/${id}`)) return schema;
  return undefined;
}

function resolve(reference: string, base: string, root: unknown, named: ReadonlyMap<string, Schema>): Schema | undefined {
  const [id = '', fragment = ''] = reference.split('#', 2);
  const document = id === '' ? (named.get(base) ?? root) : (named.get(id) ?? relative(id, named));
  if (fragment === '') return isSchema(document) ? document : undefined;
  if (!fragment.startsWith('/')) return named.get(`${id === '' ? base : id}#${fragment}`);
  let value: unknown = document;
  for (const part of fragment.slice(1).split('/')) {
    const key = keyOfStep(decodeUri(part));
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return isSchema(value) ? value : undefined;
}

function decodeUri(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
