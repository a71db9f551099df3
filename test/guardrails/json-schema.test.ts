import { Ajv } from 'ajv';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkText, validateConfig } from '../../packages/guardrails/src/index.ts';
import { bundleOf } from '../support/guardrail-quality.ts';

const outcome = (schema: unknown, text: string) => checkText(bundleOf('json_schema', { schema }), { text }).results[0];

const values = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(null, true, false, 0, 1, 2, 2.5, -3, '', 'a', 'ab', 'abc', '😀'),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('value'), { maxKeys: 3 }),
  ),
})).value;
const small = fc.nat({ max: 3 });
const names = fc.subarray(['a', 'b', 'c']);
const schemas = fc.letrec<{ schema: unknown; object: object }>((tie) => ({
  schema: fc.oneof({ maxDepth: 2, depthSize: 'xsmall' }, fc.boolean(), tie('object')),
  object: fc
    .record(
      {
        type: fc.constantFrom('array', 'boolean', 'integer', 'null', 'number', 'object', 'string'),
        enum: fc.array(values, { minLength: 1, maxLength: 3 }),
        const: values,
        minimum: small,
        exclusiveMaximum: small,
        multipleOf: fc.constantFrom(1, 0.5, 2),
        minLength: small,
        maxLength: small,
        pattern: fc.constantFrom('a', '^ab?$', '[^a]'),
        minItems: small,
        maxItems: small,
        uniqueItems: fc.boolean(),
        required: names,
        minProperties: small,
        maxProperties: small,
        properties: fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('schema'), { maxKeys: 2 }),
        patternProperties: fc.dictionary(fc.constantFrom('[ab]', '^c'), tie('schema'), { maxKeys: 1 }),
        additionalProperties: tie('schema'),
        propertyNames: tie('schema'),
        items: tie('schema'),
        contains: tie('schema'),
        allOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
        anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
        oneOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
        not: tie('schema'),
        $ref: fc.constant('#/$defs/list'),
      },
      { requiredKeys: [] },
    )
    .chain((object) => fc.subarray(Object.entries(object), { maxLength: 3 }))
    // Few keywords, so that some values conform.
    .map((entries) => Object.fromEntries(entries)),
}));

test('random values conform to random schemas where Ajv says so', () => {
  const ajv = new Ajv({ strict: false, validateSchema: false, validateFormats: false, unicodeRegExp: true });
  let conforming = 0;
  fc.assert(
    fc.property(schemas.object, values, (object, value) => {
      const text = JSON.stringify(value);
      const list = { type: ['array', 'object'], items: { $ref: '#/$defs/list' } };
      // As texts, because fast-check makes objects without a prototype, which Ajv does not take.
      const schema = JSON.parse(JSON.stringify({ ...object, $defs: { list } })) as object;
      const expected = ajv.validate(schema, JSON.parse(text));
      if (expected) conforming += 1;
      expect(outcome(schema, text)?.triggered).toBe(!expected);
    }),
    { numRuns: 200 },
  );
  expect(conforming).toBeGreaterThan(20);
});

// Ajv throws on some of these keywords when they are combined at random.
test.each([
  [{ if: { type: 'string' }, else: false }, '"a"', '1'],
  [{ properties: { a: true }, unevaluatedProperties: false }, '{"a":1}', '{"b":1}'],
  [{ allOf: [{ properties: { a: true } }], unevaluatedProperties: false }, '{"a":1}', '{"a":1,"b":1}'],
  [
    { anyOf: [{ required: ['a'], properties: { a: true } }, true], unevaluatedProperties: { type: 'null' } },
    '{"a":1}',
    '{"b":1}',
  ],
  [{ prefixItems: [{ type: 'string' }], items: { type: 'null' } }, '["a",null]', '[null]'],
  [{ dependentRequired: { a: ['b'] } }, '{"a":1,"b":1}', '{"a":1}'],
  [{ dependentSchemas: { a: { minProperties: 2 } } }, '{"b":1}', '{"a":1}'],
  [{ prefixItems: [true], unevaluatedItems: false }, '[1]', '[1,2]'],
  [{ contains: { type: 'string' }, unevaluatedItems: { type: 'null' } }, '["a",null]', '["a",1]'],
])('%j takes %s and not %s', (schema, fine, other) => {
  expect([outcome(schema, fine)?.triggered, outcome(schema, other)?.triggered]).toEqual([false, true]);
});

test('text that is not JSON triggers', () => {
  expect(outcome(true, '{"a":')).toMatchObject({ triggered: true, reason: 'The text is not JSON.' });
});

test('the form of lists of draft 7, and names of schemas', () => {
  const schema = {
    definitions: { n: { $id: '#n', type: 'number' } },
    items: [{ type: 'string' }],
    additionalItems: { $ref: '#/definitions/n' },
  };
  expect([outcome(schema, '["a",1]')?.triggered, outcome(schema, '["a","b"]')?.triggered]).toEqual([false, true]);
});

test('in draft 7 nothing counts beside a reference', () => {
  const schema = { definitions: { short: { maxLength: 2 } }, items: { $ref: '#/definitions/short', minLength: 2 } };
  const triggered = ($schema?: string) => outcome({ ...schema, $schema }, '["a"]')?.triggered;
  expect(triggered('http://json-schema.org/draft-07/schema#')).toBe(false);
  expect(triggered('http://json-schema.org/draft-07/schema')).toBe(false);
  expect(triggered('https://json-schema.org/draft/2020-12/schema')).toBe(true);
  expect(triggered()).toBe(true);
  expect(outcome({ ...schema, $schema: 'http://json-schema.org/draft-07/schema#' }, '["abc"]')?.triggered).toBe(true);
});

test.each([
  ['endless references', { $defs: { a: { $ref: '#/$defs/a' } }, $ref: '#/$defs/a' }, '1'],
  [
    'more than 10,000 items to compare',
    { uniqueItems: true },
    JSON.stringify(Array.from({ length: 10_001 }, (_, index) => index)),
  ],
  ['deep nesting', { items: { $ref: '#' } }, '['.repeat(5_000) + ']'.repeat(5_000)],
])('%s count as over budget', (_, schema, text) => {
  expect(outcome(schema, text)).toMatchObject({ failed: true, triggered: true, action: 'block' });
});

const many = <T>(count: number, of: (index: number) => T) => Array.from({ length: count }, (_, index) => of(index));
const members = (count: number) => JSON.stringify(Object.fromEntries(many(count, (index) => [`a${index}`, 1])));
const objects = JSON.stringify(many(80_000, () => ({})));
const ones = JSON.stringify(many(120_000, () => 1));

// Each would take many seconds if its steps were not counted.
test.each([
  ['names that others depend on', { items: { dependentRequired: JSON.parse(members(20_000)) as object } }, objects],
  ['types', { items: { type: [...many(50_000, () => 'array'), 'object'] } }, objects],
  ['required names', { items: { required: many(50_000, () => 'a') } }, JSON.stringify(many(30_000, () => ({ a: 1 })))],
  ['members', { allOf: many(1_000, () => ({ additionalProperties: true })) }, members(20_000)],
  ['counts of members', { allOf: many(5_000, () => ({ minProperties: 1 })) }, members(20_000)],
  ['contained items', { allOf: many(400, () => ({ contains: true })) }, ones],
  ['lengths', { allOf: many(5_000, () => ({ maxLength: 262_144 })) }, JSON.stringify('a'.repeat(262_000))],
])('many %s count as over budget', (_, schema, text) => {
  expect(outcome(schema, text)).toMatchObject({ failed: true, triggered: true, action: 'block' });
});

test('a schema has at most 200 distinct patterns, of 10,000 characters, and 1,000 names', () => {
  const problemsOf = (schema: object) => validateConfig({ type: 'json_schema', action: 'block', config: { schema } });
  const patterns = (distinct: number) => ({
    allOf: Array.from({ length: 300 }, (_, index) => ({ pattern: `a${index % distinct}` })),
  });
  expect(problemsOf(patterns(200))).toEqual([]);
  expect(problemsOf(patterns(201)).map(({ path }) => path)).toEqual(['/config/schema/allOf/200/pattern']);
  expect(problemsOf({ pattern: 'a'.repeat(10_001) })).toHaveLength(1);
  const named = (count: number) => ({
    $defs: Object.fromEntries(Array.from({ length: count }, (_, index) => [index, { $id: `s${index}` }])),
  });
  expect(problemsOf(named(1_000))).toEqual([]);
  expect(problemsOf(named(1_001)).map(({ path }) => path)).toEqual(['/config/schema']);
});
