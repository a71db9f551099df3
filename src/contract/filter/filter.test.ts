import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../test/support/runs.ts';
import type { Filter, FilterValue } from './ast.ts';
import { knownCompletions, placeAt } from './complete.ts';
import { filterFields, operatorsOf } from './fields.ts';
import type { FilterField } from './fields.ts';
import { FilterError } from './filter-error.ts';
import { maxFilterDepth, maxFilterLength, maxFilterTerms, parseFilter } from './parse.ts';
import { printFilter } from './print.ts';

const nowMs = Date.UTC(2026, 10, 28, 12);
const parse = (text: string, on: 'spans' | 'traces' = 'traces') => parseFilter(text, { on, nowMs });

/** A filter without the descriptions of its fields. */
function brief(filter: Filter): unknown {
  switch (filter.type) {
    case 'all':
    case 'some':
      return { [filter.type]: filter.terms.map(brief) };
    case 'not':
    case 'any':
    case 'none':
      return { [filter.type]: brief(filter.term) };
    case 'text':
      return filter.text;
    case 'field':
      return [[filter.field.name, ...filter.path].join('|'), filter.values?.map(briefValue) ?? '*'];
  }
}

function briefValue(value: FilterValue): unknown {
  if (value.type === 'text') return value.match === 'whole' ? value.text : `${value.match} ${value.text}`;
  return value.type === 'boolean' ? value.value : value.range;
}

describe('a filter is read', () => {
  const name = (text: string) => ['name', [text]];
  test.each<[string, unknown]>([
    ['', { all: [] }],
    ['  ', { all: [] }],
    ['refund', 'refund'],
    ['"a phrase" word', { all: ['a phrase', 'word'] }],
    ['name:a name:b', { all: [name('a'), name('b')] }],
    ['name:a AND name:b', { all: [name('a'), name('b')] }],
    ['name:a OR name:b name:c', { some: [name('a'), { all: [name('b'), name('c')] }] }],
    ['(name:a OR name:b) name:c', { all: [{ some: [name('a'), name('b')] }, name('c')] }],
    ['NOT name:a OR name:b', { some: [{ not: name('a') }, name('b')] }],
    ['-name:a name:b', { all: [{ not: name('a') }, name('b')] }],
    ['NOT NOT name:a', name('a')],
    ['-(name:a name:b)', { not: { all: [name('a'), name('b')] } }],
    ['or and not', { all: ['or', 'and', 'not'] }],
    ['ORDER', 'ORDER'],
    ['"OR"', 'OR'],
    [
      'any(tool:search latency:>2s) none(status:error)',
      {
        all: [
          {
            any: {
              all: [
                ['tool', ['search']],
                ['latency', [{ from: 2000, isFromOut: true }]],
              ],
            },
          },
          { none: ['status', ['error']] },
        ],
      },
    ],
    ['any (name:a)', { all: ['any', name('a')] }],
    ['name:(a OR b OR "c d")', ['name', ['a', 'b', 'c d']]],
    ['name:*', ['name', '*']],
    ['name:"*"', name('*')],
    ['name:a* name:*b name:*c*', { all: [name('beginning a'), name('end b'), name('part c')] }],
    ['name:"c d"* name:*"c d" name:*"c d"*', { all: [name('beginning c d'), name('end c d'), name('part c d')] }],
    [String.raw`name:a\* name:\*a name:a\*b`, { all: [name('a*'), name('*a'), name('a*b')] }],
    [String.raw`name:"say \"hi\" \\ \n"`, name(String.raw`say "hi" \ \n`)],
    [
      'latency:>2s latency:>=1m latency:<500ms latency:<=1h',
      {
        all: [
          ['latency', [{ from: 2000, isFromOut: true }]],
          ['latency', [{ from: 60_000 }]],
          ['latency', [{ to: 500, isToOut: true }]],
          ['latency', [{ to: 3_600_000 }]],
        ],
      },
    ],
    ['latency:250', ['latency', [{ from: 250, to: 250 }]]],
    ['tokens:1k..2M', ['tokens', [{ from: 1000, to: 2_000_000 }]]],
    ['cost:>0.5', ['cost', [{ from: 0.5, isFromOut: true }]]],
    ['unpriced:true', ['unpriced', [true]]],
    ['score."My Metric":>0.5', ['score.|My Metric', [{ from: 0.5, isFromOut: true }]]],
    [
      'score."a.b":1 score.a.b:1',
      {
        all: [
          ['score.|a.b', [{ from: 1, to: 1 }]],
          ['score.|a.b', [{ from: 1, to: 1 }]],
        ],
      },
    ],
    [
      'metadata.a.b:x metadata."a.b".c:x',
      {
        all: [
          ['metadata.|a|b', ['x']],
          ['metadata.|a.b|c', ['x']],
        ],
      },
    ],
    [
      'metadata.tier:3 metadata.tier:>3 metadata.tier:1..3',
      {
        all: [
          ['metadata.|tier', ['3']],
          ['metadata.|tier', [{ from: 3, isFromOut: true }]],
          ['metadata.|tier', [{ from: 1, to: 3 }]],
        ],
      },
    ],
    [
      'attribute.gen_ai.request.top_p:* attribute."genkit:name":x',
      {
        all: [
          ['attribute.|gen_ai.request.top_p', '*'],
          ['attribute.|genkit:name', ['x']],
        ],
      },
    ],
    [
      'passed.helpful:false label.tone:rude',
      {
        all: [
          ['passed.|helpful', [false]],
          ['label.|tone', ['rude']],
        ],
      },
    ],
    [
      'trace.cost:>1 trace:abc',
      {
        all: [
          ['trace.cost', [{ from: 1, isFromOut: true }]],
          ['trace', ['abc']],
        ],
      },
    ],
    [
      'guardrail:pii guardrail.action:block',
      {
        all: [
          ['guardrail', ['pii']],
          ['guardrail.action', ['block']],
        ],
      },
    ],
  ])('%s', (text, expected) => {
    expect(brief(parse(text))).toEqual(expected);
  });

  const day = Date.UTC(2026, 10, 20);
  test.each<[string, object]>([
    ['started:2026-11-20', { fromMs: day, beforeMs: day + 86_400_000 }],
    ['started:>2026-11-20', { fromMs: day + 86_400_000 }],
    ['started:>=2026-11-20', { fromMs: day }],
    ['started:<2026-11-20', { beforeMs: day }],
    ['started:<=2026-11-20', { beforeMs: day + 86_400_000 }],
    ['started:2026-11-20..2026-11-21', { fromMs: day, beforeMs: day + 2 * 86_400_000 }],
    ['started:>2026-11-20T10:00Z', { fromMs: day + 36_000_001 }],
    ['started:>=2026-11-20T10:00:00.5+02:00', { fromMs: day + 28_800_500 }],
    ['started:>-2h', { fromMs: nowMs - 7_200_000 + 1 }],
    ['started:>=-30m', { fromMs: nowMs - 1_800_000 }],
    ['started:<-1d', { beforeMs: nowMs - 86_400_000 }],
  ])('%s', (text, range) => {
    expect(brief(parse(text))).toEqual(['started', [range]]);
  });
});

describe('an error says where it is, and what to do', () => {
  test.each<[text: string, at: string, message: RegExp, suggestion?: string]>([
    ['name:a latncy:>2s', 'latncy', /no field latncy; did you mean latency/, 'latency'],
    ['https://a.b', 'https', /in quotation marks/],
    ['latency:fast', 'fast', /a duration, such as/],
    ['cost:>2s', '>2s', /a number of US dollars/],
    ['tokens:10ms', '10ms', /a number, such as 20 or 10k/],
    ['tokens:5..1', '5..1', /not above the second/],
    ['tokens:>1..2', '>1..2', /a range a..b takes no >/],
    ['status:failed', 'failed', /status is one of ok, error/],
    ['kind:lm', 'lm', /kind is one of/, 'llm'],
    ['kind:ll*', 'll*', /kind is one of/, 'llm'],
    ['name:>3', '>3', /only numbers and times are compared/],
    ['name:a..b', 'a..b', /only numbers and times have ranges/],
    ['name:a*b', 'a*b', /A star stands at the beginning or the end/],
    ['unpriced:yes', 'yes', /true or false/],
    ['started:2026-02-30', '2026-02-30', /must be a time/],
    ['started:2026-11-20T10:00', '2026-11-20T10:00', /must be a time/],
    ['started:2026-11-21..2026-11-20', '2026-11-21..2026-11-20', /not after the second/],
    ['name:"abc', '"abc', /quotation mark is not closed/],
    ['(name:a', '(name:a', /parenthesis is not closed/],
    ['any(name:a', 'any(name:a', /parenthesis is not closed/],
    ['name:a)', ')', /closes none/],
    ['name:(a b)', 'b', /write OR between/],
    ['tokens:(1 OR >2)', '>2', /join comparisons outside/],
    ['name: x', ' ', /A value is missing/],
    ['name:a OR', '', /missing at the end/],
    ['OR name:a', 'OR', /missing beside OR/],
    ['()', ')', /missing before this parenthesis/],
    ['metadata:x', 'metadata', /A key is missing/, 'metadata.'],
    ['metadata.:x', 'metadata.', /A key is missing/, 'metadata.'],
    ['any(spans:>2)', 'spans', /no field spans/, 'span'],
    ['any(depth:>2)', 'depth', /did you mean trace.depth/, 'trace.depth'],
  ])('%s', (text, at, message, suggestion) => {
    const error = errorOf(text);
    expect(error.message).toMatch(message);
    expect(text.slice(error.start, error.end)).toBe(at);
    expect(error.suggestion).toBe(suggestion);
  });

  test('limits', () => {
    expect(errorOf('a'.repeat(maxFilterLength + 1))).toMatchObject({ start: maxFilterLength, end: maxFilterLength + 1 });
    expect(parse('a '.repeat(maxFilterTerms))).toMatchObject({ type: 'all' });
    expect(errorOf('a '.repeat(maxFilterTerms + 1)).message).toMatch(/at most 100 terms/);
    const nested = (levels: number) => `${'('.repeat(levels)}a${')'.repeat(levels)}`;
    expect(brief(parse(nested(maxFilterDepth)))).toBe('a');
    expect(errorOf(nested(maxFilterDepth + 1)).message).toMatch(/at most 20 levels/);
  });
});

function errorOf(text: string): FilterError {
  try {
    parse(text);
  } catch (error) {
    if (error instanceof FilterError) return error;
    throw error;
  }
  throw new Error(`${text} was read`);
}

/** A text that counts how many of its characters are looked at. */
function counted(text: string): { text: string; steps(): number } {
  let steps = 0;
  const looked = new Proxy(Object(text) as string & object, {
    get: (_, name) => {
      steps++;
      const value: unknown = Reflect.get(Object(text) as object, name);
      return typeof value === 'function' ? (value.bind(text) as unknown) : value;
    },
  });
  return { text: looked, steps: () => steps };
}

/** Most looks at a character of a filter: each is one of a few keywords, a name, and a word, or within quotation marks. */
const mostLooks = 30;

test(
  'any text is read, or refused with offsets within it, in a number of steps linear in its length',
  { timeout: 600_000 },
  () => {
    const pieces = fc.constantFrom(
      'name',
      'latency',
      ':',
      '"',
      '\\',
      '*',
      '(',
      ')',
      ' ',
      'OR',
      'AND',
      'NOT',
      '-',
      '>',
      '..',
      '1',
      'any(',
      'metadata.',
      '.',
      'é',
      '\0',
    );
    // What takes more steps for each further character shows in a long text.
    const repeated = fc
      .tuple(fc.string({ unit: pieces, minLength: 1, maxLength: 6 }), fc.nat(600))
      .map(([text, times]) => text.repeat(times).slice(0, maxFilterLength));
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: pieces, maxLength: 40 }), fc.string(), repeated), (text) => {
        const watched = counted(text);
        try {
          parse(watched.text);
        } catch (error) {
          if (!(error instanceof FilterError)) throw error;
          expect(error.start).toBeGreaterThanOrEqual(0);
          expect(error.end).toBeGreaterThanOrEqual(error.start);
          expect(error.end).toBeLessThanOrEqual(text.length);
        } finally {
          expect(watched.steps()).toBeLessThanOrEqual(mostLooks * (text.length + 10));
        }
      }),
      { numRuns: runs({ usual: 5000, nightly: 1_000_000 }) },
    );
  },
);

describe('a printed filter is read as the same filter', () => {
  const words = fc.oneof(
    fc.string({ minLength: 1, maxLength: 8 }),
    fc.constantFrom('AND', 'a b', '"', '\\', 'a..b', '-x', '*', '>1', 'x:y', String.raw`\*`),
  );
  const textValue = fc.record({
    type: fc.constant('text' as const),
    text: words,
    match: fc.constantFrom('whole' as const, 'beginning' as const, 'end' as const, 'part' as const),
  });
  const fieldsOf = (type: string) => filterFields.traces.filter((field) => field.type === type && field.values === undefined);
  const path = (field: FilterField) =>
    field.type !== 'key' ? fc.constant([]) : fc.array(words, { minLength: 1, maxLength: field.name === 'metadata.' ? 3 : 1 });
  const field = fc
    .constantFrom(...fieldsOf('text'), ...fieldsOf('key').filter(({ valueType }) => valueType === undefined))
    .chain((chosen) =>
      fc.record({
        type: fc.constant('field' as const),
        field: fc.constant(chosen),
        path: path(chosen),
        values: fc.option(fc.array(textValue, { minLength: 1, maxLength: 3 })),
      }),
    );
  const { filter } = fc.letrec<{ filter: Filter; leaf: Filter }>((tie) => ({
    leaf: fc.oneof(field, fc.record({ type: fc.constant('text' as const), text: words })),
    filter: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      tie('leaf'),
      fc.record({
        type: fc.constantFrom('all' as const, 'some' as const),
        terms: fc.array(tie('filter'), { minLength: 2, maxLength: 3 }),
      }),
      fc.record({ type: fc.constant('not' as const), term: tie('filter') }),
    ),
  }));

  test('whatever it is made of', () => {
    fc.assert(
      fc.property(filter, (made) => {
        const printed = printFilter(made);
        fc.pre(printed.length <= maxFilterLength);
        // Lists within lists of the same kind, and double negations, are read as one.
        const read = parse(printed);
        expect(brief(parse(printFilter(read)))).toEqual(brief(read));
        expect(leavesOf(read)).toEqual(leavesOf(made));
      }),
      { numRuns: 1000 },
    );
  });

  test.each([
    'latency:>2s tokens:1k..2k',
    'started:>-2h (cost:>0.5 OR any(status:error unpriced:true))',
    'none(a OR b)',
    'a OR NOT (b c)',
  ])('%s', (text) => {
    expect(printFilter(parse(text))).toBe(text);
  });
});

function leavesOf(filter: Filter): unknown[] {
  if ('terms' in filter) return filter.terms.flatMap(leavesOf);
  return 'term' in filter ? leavesOf(filter.term) : [brief(filter)];
}

test('operators follow the type of a field', () => {
  const operators = (name: string) => operatorsOf(filterFields.traces.find((one) => one.name === name) as FilterField).join(' ');
  expect(['name', 'status', 'input', 'latency', 'unpriced', 'started', 'metadata.', 'score.', 'passed.'].map(operators)).toEqual([
    ': :* *',
    ': :*',
    ': :*',
    ': > >= < <= .. :*',
    ': :*',
    ': > >= < <= .. :*',
    ': > >= < <= .. :*',
    ': > >= < <= .. :*',
    ': :*',
  ]);
});

test.each([
  ['stat|:error', 'status:error'],
  ['sta|tus:error', 'status:error'],
  ['-any(stat|:ok)', '-any(status:ok)'],
  ['stat| model:x', 'status: model:x'],
])('a name that is completed in %s keeps one colon', (marked, completed) => {
  const cursor = marked.indexOf('|');
  const text = marked.replace('|', '');
  const place = placeAt(text, cursor, 'traces');
  const [first] = place ? knownCompletions(place) : [];
  expect(first && text.slice(0, first.start) + first.insert + text.slice(first.end)).toBe(completed);
});
