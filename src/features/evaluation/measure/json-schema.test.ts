import { describe, expect, it } from 'vitest';
import { compileSchema, SchemaRefused } from './json-schema.ts';

const fits = (schema: object, value: unknown) => compileSchema(schema)(value) === null;
const refusal = (schema: object): string => {
  try {
    compileSchema(schema);
  } catch (error) {
    expect(error).toBeInstanceOf(SchemaRefused);
    return (error as Error).message;
  }
  return 'it was not refused';
};
const named = <T>(count: number, value: T): Record<string, T> =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, value]));
const nested = (levels: number): object => (levels === 0 ? {} : { not: nested(levels - 1) });

describe('a JSON Schema', () => {
  it('is 2020-12, or draft-07 by its $schema', () => {
    const pair = { type: 'array', prefixItems: [{ type: 'number' }], items: false };
    for (const $schema of [
      undefined,
      'https://json-schema.org/draft/2020-12/schema',
      'https://json-schema.org/draft/2020-12/schema#',
    ]) {
      const schema = $schema === undefined ? pair : { $schema, ...pair };
      expect([fits(schema, [1]), fits(schema, [1, 2])]).toEqual([true, false]);
    }
    for (const $schema of ['http://json-schema.org/draft-07/schema#', 'https://json-schema.org/draft-07/schema']) {
      const schema = { $schema, type: 'array', items: [{ type: 'number' }], additionalItems: false };
      expect([fits(schema, [1]), fits(schema, [1, 2]), fits(schema, ['1'])]).toEqual([true, false, false]);
    }
    for (const $schema of ['https://json-schema.org/draft/2019-09/schema', 'http://example.com/mine', 7]) {
      expect(refusal({ $schema })).toContain('neither 2020-12 nor draft-07');
    }
  });

  it('has patterns of a linear-time engine', () => {
    const evil = { pattern: '^(a+)+$', patternProperties: { '^(b+)+$': false } };
    expect(fits(evil, 'aaa')).toBe(true);
    // A backtracking engine would not end within the time limit of the test.
    expect(fits(evil, `${'a'.repeat(100_000)}!`)).toBe(false);
    expect(fits(evil, { [`${'b'.repeat(100_000)}!`]: 1 })).toBe(true);
    expect(fits({ pattern: '^\\u0041\\p{L}$' }, 'Aé')).toBe(true);
    expect(refusal({ pattern: '(?=a)' })).toContain('has a pattern that cannot be used');
    expect(refusal({ anyOf: Array.from({ length: 60 }, (_, at) => ({ pattern: `x{400}${at}` })) })).toContain('too large');
  });

  it('bounds the errors of a check, and leaves text alone that looks like generated code', () => {
    const list = Array.from({ length: 400_000 }, () => 1);
    expect(fits({ contains: { const: 'x' } }, list)).toBe(false);
    expect(() => fits({ contains: { anyOf: [{ const: 'x' }, { const: 'y' }] } }, list)).toThrow(SchemaRefused);
    expect(fits({ const: 'errors++;' }, 'errors++;')).toBe(true);
    expect(
      fits(
        { properties: { '"errors = vErrors.length;': { enum: ['\\"errors++;'] } } },
        { '"errors = vErrors.length;': '\\"errors++;' },
      ),
    ).toBe(true);
  });

  it('checks formats and ignores unknown formats and keywords', () => {
    expect([fits({ format: 'email' }, 'a@example.com'), fits({ format: 'email' }, 'a')]).toEqual([true, false]);
    expect(fits({ format: 'nothing-known', 'x-mine': 1 }, 'a')).toBe(true);
  });

  it('may have long lists of values and names', () => {
    const values = Array.from({ length: 4_000 }, (_, at) => at);
    expect([fits({ enum: values }, 3_999), fits({ enum: values }, 4_000)]).toEqual([true, false]);
    const names = Object.keys(named(1_500, true));
    expect([fits({ required: names }, named(1_500, true)), fits({ required: names }, {})]).toEqual([true, false]);
    const strict = named(160, { type: 'object', properties: { a: { enum: ['b', 'c'] } }, additionalProperties: false });
    expect(fits({ properties: strict }, { k1: { a: 'b' } })).toBe(true);
  });

  it('cannot refer to other documents', () => {
    expect(refusal({ $ref: 'https://example.com/schema.json' })).toContain("can't resolve reference");
    expect(refusal({ $ref: 'file:///etc/passwd' })).toContain("can't resolve reference");
    expect(fits({ $defs: { a: { type: 'number' } }, $ref: '#/$defs/a' }, 1)).toBe(true);
    expect(fits({ required: ['toString'] }, {})).toBe(false);
  });

  it.each<[string, object, string]>([
    ['is none', { type: 'nothing' }, 'cannot be used: schema is invalid'],
    [
      'refers to itself without end',
      { $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } }, $ref: '#/$defs/a' },
      'without end',
    ],
    ['is nested too deeply', nested(60), 'levels deep'],
    ['has too many parts', { anyOf: Array.from({ length: 1_000 }, () => ({})) }, 'more than 1000 parts'],
    ['has too many that are true or false', { oneOf: Array.from({ length: 1_000 }, () => false) }, 'more than 1000 parts'],
    ['has too many patterns of names', { patternProperties: named(1_000, true) }, 'more than 1000 parts'],
    ['has too long a list of names', { dependentRequired: { a: Object.keys(named(1_000, true)) } }, 'more than 1000 parts'],
    ['is too large', { description: 'a'.repeat(40_000) }, 'larger than'],
    ["takes a meta-schema's name", { $id: 'https://json-schema.org/draft/2020-12/schema' }, 'already exists'],
  ])('that %s is refused', (_what, schema, message) => {
    expect(refusal(schema)).toContain(message);
  });
});
