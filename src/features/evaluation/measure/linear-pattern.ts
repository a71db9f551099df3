import { RE2JS } from 're2js';

/** Largest compiled pattern, in instructions: a search takes up to 15 ns for each of them and each character. */
const largestProgram = 5_000;

/** A pattern that cannot be used; the message ends the sentence "the pattern ...". */
export class PatternRefused extends Error {}

/** A compiled pattern of a linear-time engine: no text can make it backtrack. */
export interface LinearPattern {
  /** Instructions; a search takes time in proportion to this times the length of the text. */
  size: number;
  /** Whether it is found anywhere in the text. */
  test(text: string): boolean;
}

/**
 * Compiles a pattern. JavaScript's own spellings (`\u0041`, `(?<name>...)`) are understood; look-around and back-references are not,
 * since no linear-time engine has them.
 *
 * @param flags some of `i` (case), `m` (`^` and `$` at lines), `s` (`.` takes line ends) and `u` (always on)
 *
 * Errors: {@link PatternRefused}.
 */
export function compilePattern(pattern: string, flags: string): LinearPattern {
  let compiled: RE2JS;
  try {
    const options =
      (flags.includes('i') ? RE2JS.CASE_INSENSITIVE : 0) |
      (flags.includes('m') ? RE2JS.MULTILINE : 0) |
      (flags.includes('s') ? RE2JS.DOTALL : 0);
    compiled = RE2JS.compile(RE2JS.translateRegExp(pattern), options);
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^error parsing regexp: /, '') : 'it does not parse';
    throw new PatternRefused(`cannot be used: ${reason.slice(0, 200)} (RE2 syntax: no look-around, no back-references)`);
  }
  const size = compiled.programSize();
  if (size > largestProgram) throw new PatternRefused('is too large; make its repetitions shorter');
  return { size, test: (text) => compiled.test(text) };
}
