import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { writeJson } from './write-json.ts';

const roomy = 1_000_000;
const written = (value: unknown, maxBytes = roomy): unknown => JSON.parse(writeJson(value, maxBytes)?.json ?? 'null');

class Order {
  readonly id = 7;
  readonly items = ['tea'];
  get total(): number {
    return 12;
  }
}

describe('values without a form in JSON', () => {
  const thrown = Object.defineProperty({ before: 1, after: 2 }, 'before', {
    enumerable: true,
    get: () => {
      throw new Error('closed');
    },
  });
  const { proxy: revoked, revoke } = Proxy.revocable({}, {});
  revoke();
  const cases: ReadonlyArray<[what: string, value: unknown, json: unknown]> = [
    ['a big integer', 12_345_678_901_234_567_890n, '12345678901234567890'],
    ['a big integer that a number holds', -5n, -5],
    ['numbers that JSON lacks', [NaN, Infinity, -Infinity, -0], ['NaN', 'Infinity', '-Infinity', 0]],
    [
      'a function',
      {
        run: function run() {},
        anonymous: (
          () => () =>
            1
        )(),
      },
      { run: '[Function: run]', anonymous: '[Function: anonymous]' },
    ],
    ['a symbol', [Symbol('mark')], ['Symbol(mark)']],
    ['undefined', { gone: undefined, list: [undefined, 1] }, { list: [null, 1] }],
    ['a date', [new Date(0), new Date(NaN)], ['1970-01-01T00:00:00.000Z', 'Invalid Date']],
    ['a map', new Map([['a', new Map([[1, 'b']])]]), { a: [[1, 'b']] }],
    ['a set', new Set(['a', 1n]), ['a', 1]],
    ['bytes', new Uint8Array([1, 2, 3]), { type: 'Uint8Array', bytes: 3, base64: 'AQID' }],
    ['a view', new DataView(new Uint8Array([0, 1, 2, 3]).buffer, 1, 2), { type: 'DataView', bytes: 2, base64: 'AQI=' }],
    ['numbers in a row', new Float32Array([0.5, 2]), [0.5, 2]],
    ['a class instance', new Order(), { id: 7, items: ['tea'] }],
    ['one without fields', [Promise.resolve(1), new WeakMap()], ['[Promise]', '[WeakMap]']],
    ['one that says what it is', { url: new URL('https://a.example/b?c') }, { url: 'https://a.example/b?c' }],
    ['an expression', /a+/gi, '/a+/gi'],
    ['boxed values', [Object('text'), Object(1), Object(false), Object(2n)], ['text', 1, false, 2]],
    ['one that claims to be boxed', { [Symbol.toStringTag]: 'String', a: 1 }, { a: 1 }],
    ['an object without a prototype', Object.assign(Object.create(null), { a: 1 }), { a: 1 }],
    ['a getter that throws', thrown, { before: '[Thrown: closed]', after: 2 }],
    ['a proxy that is revoked', revoked, expect.stringMatching(/^\[Thrown: .*revoked\]$/)],
    ['one within another value', { draft: revoked, a: 1 }, { draft: expect.stringMatching(/revoked/) as string, a: 1 }],
  ];

  test.each(cases)('%s', (_what, value, json) => {
    expect(written(value)).toEqual(json);
  });

  test('an error with its cause and fields', () => {
    const error = Object.assign(new TypeError('refused', { cause: new Error('timed out') }), { status: 503 });
    expect(written({ error })).toEqual({
      error: {
        name: 'TypeError',
        message: 'refused',
        stack: expect.stringContaining('TypeError: refused'),
        cause: { name: 'Error', message: 'timed out', stack: expect.any(String) },
        status: 503,
      },
    });
    expect(written(new AggregateError([new Error('one')], 'all'))).toMatchObject({
      message: 'all',
      errors: [{ message: 'one' }],
    });
  });

  test('long bytes are shortened and say so', () => {
    const json = written(new Uint8Array(5_000)) as Record<string, string>;
    expect(json).toMatchObject({ type: 'Uint8Array', bytes: 5_000 });
    expect(atob(json['base64 of the first 1024'] ?? '')).toHaveLength(1_024);
  });

  test('a cycle ends at the container that is open; what is only shared is written again', () => {
    const shared = { name: 'shared' };
    const parent: Record<string, unknown> = { one: shared, two: shared };
    parent['children'] = [{ parent }];
    expect(written(parent)).toEqual({ one: shared, two: shared, children: [{ parent: '[Circular]' }] });
  });

  test('what is nested too deeply ends in a mark', () => {
    let deep: unknown = 'bottom';
    for (let level = 0; level < 10_000; level += 1) deep = [deep];
    expect(writeJson(deep, roomy)?.json).toBe(`${'['.repeat(64)}"[Deeper than 64 levels]"${']'.repeat(64)}`);
  });

  test('whatever throws is described', () => {
    const hostile = new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error('no keys');
        },
      },
    );
    const unreadable = {
      toJSON: () => {
        throw Object.create(null);
      },
    };
    expect(written([hostile, unreadable])).toEqual(['[Thrown: no keys]', '[Thrown: unreadable]']);
  });

  test('undefined is nothing', () => {
    expect(writeJson(undefined, roomy)).toBeUndefined();
  });
});

describe('over the limit', () => {
  test('a text keeps its beginning', () => {
    const text = 'é'.repeat(1_000);
    const { json, bytes, cut } = writeJson(text, 200) ?? {};
    expect(cut).toBe(true);
    expect(bytes).toBeGreaterThan(190);
    expect(JSON.parse(json ?? '')).toMatch(/^é+… \[cut: 1000 characters in all\]$/);
  });

  test('a text is not cut within a surrogate pair', () => {
    fc.assert(
      fc.property(fc.nat(3), fc.integer({ min: 128, max: 160 }), (before, maxBytes) => {
        const json = writeJson(`${'a'.repeat(before)}${'😀'.repeat(100)}`, maxBytes)?.json ?? '';
        expect(JSON.parse(json)).toMatch(/^a*(?:😀)+… \[cut/u);
      }),
    );
  });

  test('lists and objects keep their first entries and count the rest', () => {
    expect(
      written(
        Array.from({ length: 1_000 }, (_, index) => index),
        128,
      ),
    ).toEqual([...Array.from({ length: 32 }, (_, index) => index), '[cut: 968 more]']);
    const wide = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`key${index}`, true]));
    const kept = written(wide, 200) as Record<string, unknown>;
    expect(kept).toMatchObject({ key0: true, '[cut]': `${500 - Object.keys(kept).length + 1} more` });
  });

  test('a conversation stays a list of messages', () => {
    const messages = Array.from({ length: 50 }, (_, index) => ({ role: 'user', content: `${index} `.repeat(100) }));
    const kept = written(messages, 2_000) as unknown[];
    expect(kept.slice(0, 5)).toEqual(messages.slice(0, 5));
    expect(kept.at(-1)).toMatch(/^\[cut: \d+ more\]$/);
  });
});

// Values of every kind, with those that JSON lacks, cycles and getters that throw.
const anything = fc
  .anything({
    withBigInt: true,
    withBoxedValues: true,
    withDate: true,
    withMap: true,
    withSet: true,
    withNullPrototype: true,
    withObjectString: true,
    withSparseArray: true,
    withTypedArray: true,
    withUnicodeString: true,
    key: fc.string({ unit: 'binary' }),
  })
  .chain((value) =>
    fc.constantFrom<unknown>(
      value,
      Array.from({ length: 40 }, () => value),
      { value, run: () => value },
      Object.assign(new Error('made'), { value }),
      (() => {
        const cycle: Record<string, unknown> = { value };
        cycle['self'] = [cycle];
        return cycle;
      })(),
    ),
  );

test('whatever is written parses, is within the limit and counts its bytes', () => {
  fc.assert(
    fc.property(anything, fc.integer({ min: 128, max: 1_000 }), (value, maxBytes) => {
      const result = writeJson(value, maxBytes);
      if (result === undefined) return;
      JSON.parse(result.json);
      expect(result.bytes).toBe(Buffer.byteLength(result.json));
      expect(result.bytes).toBeLessThanOrEqual(maxBytes);
      if (!result.cut) expect(result.json).toBe(writeJson(value, roomy)?.json);
    }),
    { numRuns: 300 },
  );
});

test.each(['\ud800\udc00', '\udbff\udfff', '\ud7ff', '\ue000'])(
  'the bytes of %j are counted where a text is cut',
  (character) => {
    const { json, bytes, cut } = writeJson(character.repeat(200), 200) ?? {};
    expect(cut).toBe(true);
    expect(bytes).toBe(Buffer.byteLength(json ?? ''));
    // Not more is cut than needed.
    expect(bytes).toBeGreaterThan(190);
  },
);

test('JSON is written as JSON.stringify writes it', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
      expect(writeJson(value, roomy)).toMatchObject({ json: JSON.stringify(value), cut: false });
    }),
  );
});
