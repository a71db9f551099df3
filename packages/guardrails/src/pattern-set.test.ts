import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Budget, OverBudget } from './budget.ts';
import { compilePatterns, PatternSetError } from './index.ts';
import type { PatternConfig, PatternMatch } from './index.ts';

const found = (configs: readonly PatternConfig[], text: string) =>
  compilePatterns(configs)
    .find(text)
    .matches.map(({ start, end, label }) => [text.slice(start, end), start, label]);

describe('matches', () => {
  test('are labelled, and `match` without a label', () => {
    expect(found([{ pattern: String.raw`\d+`, label: 'number' }, { pattern: 'x' }], 'x 12')).toEqual([
      ['x', 0, 'match'],
      ['12', 2, 'number'],
    ]);
  });

  test('leftmost first, then longest, then the first pattern', () => {
    expect(found([{ pattern: 'bc' }, { pattern: 'abc?' }, { pattern: 'ab', label: 'short' }], 'abcd')).toEqual([
      ['abc', 0, 'match'],
    ]);
    expect(
      found(
        [
          { pattern: 'ab', label: 'one' },
          { pattern: 'a.', label: 'two' },
        ],
        'ab',
      ),
    ).toEqual([['ab', 0, 'one']]);
  });

  test('do not overlap: the search continues at the end of a match', () => {
    expect(found([{ pattern: 'abc' }, { pattern: 'cd' }, { pattern: 'd' }], 'abcd')).toEqual([
      ['abc', 0, 'match'],
      ['d', 3, 'match'],
    ]);
  });

  test('are as long as the pattern says: lazy repetitions stay short, alternatives are tried in order', () => {
    expect(found([{ pattern: '<.*?>' }], '<a> <b>')).toEqual([
      ['<a>', 0, 'match'],
      ['<b>', 4, 'match'],
    ]);
    expect(found([{ pattern: 'a|ab' }], 'ab')).toEqual([['a', 0, 'match']]);
  });

  test('are never empty', () => {
    expect(found([{ pattern: 'x*' }, { pattern: '' }, { pattern: '^' }, { pattern: '$' }], 'axxb')).toEqual([['xx', 1, 'match']]);
  });

  test('offsets count UTF-16 units, also beside lone surrogates', () => {
    expect(found([{ pattern: '😀' }, { pattern: '.b' }], '😀a😀b\uD83D😀b')).toEqual([
      ['😀', 0, 'match'],
      ['😀b', 3, 'match'],
      ['😀b', 7, 'match'],
    ]);
    expect(found([{ pattern: '[^a]' }], '\uDE00a\uD83D')).toEqual([
      ['\uDE00', 0, 'match'],
      ['\uD83D', 2, 'match'],
    ]);
  });

  test('ignore case where a pattern says so', () => {
    expect(found([{ pattern: 'ab|É', ignoreCase: true }, { pattern: 'cd' }], 'AB é CD cd')).toEqual([
      ['AB', 0, 'match'],
      ['é', 3, 'match'],
      ['cd', 8, 'match'],
    ]);
  });

  test('at most as many as asked for, 100 otherwise; truncated says whether there are more', () => {
    const set = compilePatterns([{ pattern: 'a' }, { pattern: 'b' }]);
    expect(set.find('ab'.repeat(50))).toMatchObject({ truncated: false, matches: { length: 100 } });
    expect(set.find('ab'.repeat(51))).toMatchObject({ truncated: true, matches: { length: 100 } });
    expect(set.find('abab', { limit: 3 })).toMatchObject({ truncated: true, matches: { length: 3 } });
    expect(set.find('aba', { limit: 3 })).toMatchObject({ truncated: false, matches: { length: 3 } });
  });
});

test('a refused set names every refused pattern with its index', () => {
  const configs = ['fine', String.raw`(a)\1`, 'a(?=b)', '(?<!a)b', '(', 'also fine', 'a++'].map((pattern) => ({
    pattern,
  }));
  expect(() => compilePatterns(configs)).toThrow(PatternSetError);
  const problems = (() => {
    try {
      compilePatterns(configs);
    } catch (error) {
      return (error as PatternSetError).problems;
    }
    return [];
  })();
  expect(problems.map(({ index, code }) => [index, code])).toEqual([
    [1, 'back_reference'],
    [2, 'look_around'],
    [3, 'look_around'],
    [4, 'syntax'],
    [6, 'syntax'],
  ]);
});

test('no patterns match nothing', () => {
  expect(compilePatterns([]).find('text')).toEqual({ matches: [], truncated: false, safeUntil: 4 });
});

test('patterns of more than one set pass keep their indices', () => {
  const large = Array.from({ length: 12 }, (_, index) => ({ pattern: `[a-c]{700}x|key${index}y`, label: `key${index}` }));
  const set = compilePatterns(large);
  expect(set.size).toBeGreaterThan(8_000);
  expect(set.candidates('key11y key0y')).toEqual([0, 11]);
  expect(set.find('key11y key0y').matches.map(({ label }) => label)).toEqual(['key11', 'key0']);
});

// ASCII, accents, an emoji, halves of it (which may meet and form it), a line end.
const characters = ['a', 'b', 'B', '1', '_', ' ', '\n', 'é', 'É', '😀', '\uD83D', '\uDE00'] as const;
const text = fc.array(fc.constantFrom(...characters), { maxLength: 40 }).map((parts) => parts.join(''));

interface Piece {
  source: string;
  /** Repeating what may be empty means different things to JavaScript and RE2. */
  nullable: boolean;
}

const pieces = fc.letrec<{ atom: Piece; repeated: Piece; sequence: Piece; either: Piece }>((tie) => ({
  atom: fc.oneof(
    fc.constantFrom(...characters).map((source) => ({ source, nullable: false })),
    fc.constantFrom('[ab1]', '[^a]', '.', String.raw`\d`, String.raw`\w`, '[a-c]').map((source) => ({ source, nullable: false })),
    fc.constantFrom('', '^', '$', String.raw`\b`, String.raw`\B`).map((source) => ({ source, nullable: true })),
    tie('either').map(({ source, nullable }) => ({ source: `(?:${source})`, nullable })),
  ),
  repeated: fc.tuple(tie('atom'), fc.constantFrom('', '', '*', '+', '?', '{1,2}', '*?', '+?', '??')).map(([atom, times]) => ({
    source: atom.nullable ? atom.source : `${atom.source}${times}`,
    nullable: atom.nullable || /^[*?]/.test(times),
  })),
  sequence: fc.array(tie('repeated'), { minLength: 1, maxLength: 3 }).map((parts) => ({
    source: parts.map(({ source }) => source).join(''),
    nullable: parts.every(({ nullable }) => nullable),
  })),
  either: fc.array(tie('sequence'), { minLength: 1, maxLength: 2 }).map((parts) => ({
    source: parts.map(({ source }) => source).join('|'),
    nullable: parts.some(({ nullable }) => nullable),
  })),
}));
const configs = fc.array(fc.record({ pattern: pieces.either.map(({ source }) => source), ignoreCase: fc.boolean() }), {
  minLength: 1,
  maxLength: 4,
});

/** The definition, spelled out on JavaScript's own engine: every pattern is tried at every character. */
function expected(patterns: readonly PatternConfig[], whole: string): PatternMatch[] {
  const engines = patterns.map(({ pattern, ignoreCase }) => new RegExp(pattern, ignoreCase === true ? 'iuy' : 'uy'));
  const matches: PatternMatch[] = [];
  for (let at = 0; at < whole.length;) {
    const ends = engines.map((engine) => {
      engine.lastIndex = at;
      return engine.test(whole) ? engine.lastIndex : at;
    });
    const end = Math.max(...ends);
    if (end > at) {
      matches.push({ start: at, end, label: 'match', pattern: ends.indexOf(end) });
      at = end;
    } else at += String.fromCodePoint(whole.codePointAt(at) ?? 0).length;
  }
  return matches;
}

test('random patterns find in random texts what the definition says', () => {
  let matches = 0;
  fc.assert(
    fc.property(configs, text, (patterns, whole) => {
      const set = compilePatterns(patterns);
      const wanted = expected(patterns, whole);
      matches += wanted.length;
      expect(set.find(whole)).toEqual({ matches: wanted, truncated: false, safeUntil: whole.length });
      expect(set.candidates(whole)).toEqual(expect.arrayContaining([...new Set(wanted.map(({ pattern }) => pattern))]));
      expect(set.find(whole, { limit: 2 })).toMatchObject({ matches: wanted.slice(0, 2), truncated: wanted.length > 2 });
    }),
    { numRuns: 500 },
  );
  expect(matches).toBeGreaterThan(300);
});

test('the set pass names the patterns that match, and no others', () => {
  fc.assert(
    fc.property(configs, text, (patterns, whole) => {
      const wanted = patterns.flatMap(({ pattern, ignoreCase }, index) =>
        // From every character, as above: JavaScript's own search may begin within a pair.
        [...whole, ''].some((_, characterIndex, all) => {
          const engine = new RegExp(pattern, ignoreCase === true ? 'iuy' : 'uy');
          engine.lastIndex = all.slice(0, characterIndex).join('').length;
          return engine.test(whole);
        })
          ? [index]
          : [],
      );
      expect(compilePatterns(patterns).candidates(whole)).toEqual(wanted);
    }),
    { numRuns: 200 },
  );
});

describe('safeUntil of a text that may continue', () => {
  const safe = (pattern: string, whole: string) => compilePatterns([{ pattern }]).find(whole, { open: true }).safeUntil;

  test.each([
    [String.raw`\d{4}`, 'call 12', 5],
    [String.raw`\d{4}`, 'call 1234', 9],
    [String.raw`\d+`, 'call 1234', 5],
    [String.raw`\bcat\b`, 'a cat', 2],
    [String.raw`\bcat\b`, 'a cat ', 6],
    ['"[^"]*"', '"a" and "b', 8],
    ['"[^"]*"', '"a" and "b"', 11],
    ['end$', 'the end', 4],
    ['^a+b', 'xaaa', 4],
    ['x😀', 'ax\uD83D', 1],
    ['y', 'ax\uD83D', 2],
    ['(?s)a.*b', 'xxaxx', 2],
  ])('%s in %j is %i', (pattern, whole, expected) => {
    expect(safe(pattern, whole)).toBe(expected);
  });

  test('no match that begins before it changes, whatever is appended', () => {
    let held = 0;
    fc.assert(
      fc.property(configs, text, text, (patterns, begun, rest) => {
        const set = compilePatterns(patterns);
        const { matches, safeUntil } = set.find(begun, { open: true });
        const before = (all: readonly PatternMatch[]) => all.filter(({ start }) => start < safeUntil);
        expect(before(set.find(begun + rest).matches)).toEqual(before(matches));
        if (safeUntil > begun.length / 2) held += 1;
      }),
      { numRuns: 500 },
    );
    expect(held).toBeGreaterThan(100);
  });
});

test('a search counts its steps and ends over its budget', () => {
  const set = compilePatterns([{ pattern: '(?:a|aa)+b' }]);
  const spent = (length: number) => {
    const budget = new Budget(10_000_000);
    set.find(`${'a'.repeat(length)}b`, { budget });
    return 10_000_000 - budget.left;
  };
  expect(spent(4_000) / spent(1_000)).toBeLessThan(4.5);
  expect(() => set.find(`${'a'.repeat(4_000)}b`, { budget: new Budget(5_000) })).toThrow(OverBudget);
});
