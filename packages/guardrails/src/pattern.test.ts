import { describe, expect, test } from 'vitest';
import { compilePattern, PatternError } from './index.ts';

describe('spellings of JavaScript', () => {
  test.each([
    [String.raw`\u0041\x42`, 'AB'],
    [String.raw`^\u{1F600}$`, '😀'],
    [String.raw`^\uD83D\uDE00$`, '😀'],
    [String.raw`^\\uD83D$`, String.raw`\uD83D`],
    [String.raw`^[\uD83D\uDE00]$`, '😀'],
    ['(?<name>a)b', 'ab'],
    [String.raw`a\/b`, 'a/b'],
    [String.raw`\cJ`, '\n'],
    ['[^]', '\n'],
  ])('%s matches', (pattern, text) => {
    expect(compilePattern(pattern).test(text)).toBe(true);
  });
});

test.each([
  [String.raw`\Qa.b\E`, 'a.b', 'axb'],
  [String.raw`\Q\k\E`, String.raw`\k`, 'k'],
  [String.raw`\Q(`, '(', ')'],
  [String.raw`\p{Greek}`, 'λ', 'l'],
  ['(?i:a)b', 'Ab', 'AB'],
  [String.raw`\A\d\z`, '1', '11'],
])('%s matches %j and not %j', (pattern, match, other) => {
  expect([match, other].map((text) => compilePattern(pattern).test(text))).toEqual([true, false]);
});

test('options', () => {
  expect(compilePattern('é', { ignoreCase: true }).test('É')).toBe(true);
  expect(compilePattern('^b$', { multiline: true }).test('a\nb\nc')).toBe(true);
  expect(compilePattern('a.b', { dotAll: true }).test('a\nb')).toBe(true);
  expect(['é', '^b$', 'a.b'].map((pattern) => compilePattern(pattern).test('É a\nb\nc'))).toEqual([false, false, false]);
});

test.each([
  [String.raw`(a)\1`, 'back_reference', String.raw`\1`],
  [String.raw`(a)(b)(c)(d)(e)(f)(g)(h)\8`, 'back_reference', String.raw`\8`],
  [String.raw`[\9]`, 'back_reference', String.raw`\9`],
  [String.raw`(?<n>a)\k<n>`, 'back_reference', String.raw`\k`],
  [String.raw`(?P<n>a)(?P=n)`, 'back_reference', '(?P'],
  [String.raw`(a)\g{1}`, 'back_reference', String.raw`\g`],
  ['a(?=b)', 'look_around', '(?='],
  ['a(?!b)', 'look_around', '(?!'],
  ['(?<=a)b', 'look_around', '(?<='],
  ['(?<!a)b', 'look_around', '(?<!'],
  ['(a', 'syntax', 'missing closing )'],
  ['*', 'syntax', 'repetition operator'],
  ['(?>a)', 'syntax', '(?>'],
  [String.raw`a\Z`, 'syntax', String.raw`\Z`],
  [String.raw`\X`, 'syntax', String.raw`\X`],
  ['\\', 'syntax', 'trailing backslash'],
  ['a{1001}', 'syntax', 'repeat count'],
  ['(?:abcdef){900}', 'too_large', 'shorter'],
])('%s is refused as %s', (pattern, code, part) => {
  const refusal = (() => {
    try {
      return compilePattern(pattern);
    } catch (error) {
      return error;
    }
  })();
  expect(refusal).toBeInstanceOf(PatternError);
  expect(refusal).toMatchObject({ code, message: expect.stringContaining(part) });
});

test('the size is what the pattern takes, not its text', () => {
  expect(compilePattern('a{100}').size).toBeGreaterThan(100);
  expect(compilePattern('a').size).toBeLessThan(10);
});
