import fc from 'fast-check';

/** Texts with control characters, unpaired surrogates, direction marks, prototype names, injections and extreme values. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '\0',
    'a\0b',
    '\ud800',
    'a\udc00b',
    '\u202eevil\u2066',
    '\ufeff',
    '__proto__',
    'constructor',
    'toString',
    "'; DROP TABLE spans; --",
    '{{> x }}',
    '../../etc/passwd',
    '%00',
    '%',
    '\r\nx-injected: 1',
    '<script>alert(1)</script>',
    '9'.repeat(400),
    '-0',
    'NaN',
    '2026-02-30T25:61:61Z',
    '+275760-09-13T00:00:00.000Z',
    '0000-01-01T00:00:00.000Z',
    '٣',
    '\\',
    '(a+)+$',
    '😀'.repeat(300),
    'WyIyMDI2LTExLTIxVDEzOjAwOjAwLjAwMFoiLCJ4Il0',
    'null',
    '[]',
    '{"a":1}',
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.nat(70_000).map((length) => 'x'.repeat(length)),
);

/** Numbers at and beyond the limits of database types and clocks. */
const hostileNumber: fc.Arbitrary<number> = fc.oneof(
  fc.constantFrom(0, -0, -1, 1, 200, 201, 0.1, 1e-320, 1e21, 1e308, -1e308, 2 ** 31, 2 ** 31 - 1, 2 ** 53, 2 ** 63, 8.64e15 + 1),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);

function nested(depth: number, array: boolean): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level++) value = array ? [value] : { a: value };
  return value;
}

/** An object with an own member `__proto__`, as JSON.parse creates it. */
function withProto(value: unknown): unknown {
  return JSON.parse(`{"__proto__":${JSON.stringify(value ?? null)},"a":1}`) as unknown;
}

/** Any JSON value, mostly hostile ones. */
export const hostileJson: fc.Arbitrary<unknown> = fc.oneof(
  hostileText,
  hostileNumber,
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    [],
    {},
    [[]],
    [null],
    { length: -1 },
    { toJSON: 1 },
    { constructor: { prototype: 1 } },
  ),
  fc.tuple(fc.constantFrom(50, 99, 100, 111, 500, 3000), fc.boolean()).map(([depth, array]) => nested(depth, array)),
  fc.constantFrom<unknown>(1, { polluted: true }, []).map(withProto),
  fc.jsonValue({ maxDepth: 3 }),
  fc.array(hostileNumber, { maxLength: 300 }),
);

/** `value` with one part, at any depth, replaced by a hostile value. */
export function mutatedJson(value: unknown): fc.Arbitrary<unknown> {
  if (typeof value !== 'object' || value === null) return hostileJson;
  const places = Object.entries(value);
  if (places.length === 0) return hostileJson;
  return fc
    .constantFrom(...places)
    .chain(([name, part]) => fc.oneof(mutatedJson(part), hostileJson).map((mutated) => replaced(value, name, mutated)));
}

function replaced(value: object, name: string, part: unknown): unknown {
  return Array.isArray(value) ? value.with(Number(name), part) : { ...value, [name]: part };
}
