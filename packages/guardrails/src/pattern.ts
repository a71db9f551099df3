import { RE2JS, RE2JSSyntaxException } from 're2js';

/** Largest compiled pattern, in instructions: a search takes up to 15 ns for each instruction and character. */
const maxInstructions = 5_000;
/** Unicode classes in a pattern: each takes up to 0.15 ms to compile, whatever becomes of it. */
const maxUnicodeClasses = 100;

/** Why a pattern is refused. */
export type PatternErrorCode = 'back_reference' | 'look_around' | 'syntax' | 'too_large';

/** A pattern that the linear-time engine does not take. The message completes the sentence "The pattern ...". */
export class PatternError extends Error {
  readonly code: PatternErrorCode;

  constructor(code: PatternErrorCode, message: string) {
    super(message);
    this.name = 'PatternError';
    this.code = code;
  }
}

export interface PatternOptions {
  /** Letters match in either case. */
  ignoreCase?: boolean;
  /** `^` and `$` also match at line ends. */
  multiline?: boolean;
  /** `.` also matches line ends. */
  dotAll?: boolean;
}

/** A compiled pattern. A search takes time linear in the text. */
export interface Pattern {
  /** Size in instructions; a search takes time in proportion to this times the length of the text. */
  readonly size: number;
  /** Whether the pattern matches anywhere in the text. */
  test(text: string): boolean;
}

/**
 * Compiles a pattern in RE2 syntax; JavaScript's spellings `\uXXXX`, `\u{X}`, `\cX` and `(?<name>...)` are understood too.
 *
 * Errors: {@link PatternError}.
 */
export function compilePattern(source: string, options: PatternOptions = {}): Pattern {
  const compiled = compileLinear(source, options);
  return { size: compiled.programSize(), test: (text) => compiled.test(text) };
}

/** Like {@link compilePattern}, as an object of the underlying engine. */
export function compileLinear(source: string, options: PatternOptions = {}): RE2JS {
  if ((source.match(/\\[pP]/g)?.length ?? 0) > maxUnicodeClasses) {
    throw new PatternError('too_large', `has more than ${maxUnicodeClasses} Unicode classes such as \\p{L}; use fewer of them`);
  }
  const compiled = parse(toLinearSyntax(source), options);
  if (compiled.programSize() > maxInstructions) {
    throw new PatternError('too_large', 'is too large; make its repetitions shorter');
  }
  return compiled;
}

function parse(translated: string, { ignoreCase, multiline, dotAll }: PatternOptions): RE2JS {
  const flags =
    (ignoreCase === true ? RE2JS.CASE_INSENSITIVE : 0) |
    (multiline === true ? RE2JS.MULTILINE : 0) |
    (dotAll === true ? RE2JS.DOTALL : 0);
  try {
    return RE2JS.compile(translated, flags);
  } catch (error) {
    throw refusalOf(error);
  }
}

// A quotation, a surrogate pair spelled as two escapes, or any other escape.
const escapes = /\\Q[^]*?(?:\\E|$)|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\[^]/g;
/** Escapes that RE2 or JavaScript give a meaning. The translation below would let any other letter stand for itself. */
const knownEscape = /^\\(?:[^A-Za-z]|[abcdfnprstuvwxzABCDPSW])$/;

/** RE2's spelling of a pattern. */
export function toLinearSyntax(source: string): string {
  const spelled = source.replaceAll(escapes, (escape) => {
    // Expanded here, because the translation below would interpret escapes in a quotation.
    if (escape.startsWith('\\Q')) return RE2JS.quote(escape.slice(2).replace(/\\E$/, ''));
    if (escape.length > 2) return `\\u{${codePointOf(escape).toString(16)}}`;
    if (escape === '\\k' || escape === '\\g') throw refused('back_reference', `unsupported back-reference \`${escape}\``);
    // Engines of other languages refer to the eighth and ninth group with these; RE2 has no octal digits 8 and 9 either.
    if (escape === '\\8' || escape === '\\9') throw refused('back_reference', `unsupported back-reference \`${escape}\``);
    if (!knownEscape.test(escape)) throw refused('syntax', `invalid escape sequence: \`${escape}\``);
    return escape;
  });
  return RE2JS.translateRegExp(spelled);
}

/** The code point of a pair such as `\uD83D\uDE00`. */
function codePointOf(pair: string): number {
  const high = Number.parseInt(pair.slice(2, 6), 16);
  const low = Number.parseInt(pair.slice(8), 16);
  return 0x10000 + (high - 0xd800) * 0x400 + (low - 0xdc00);
}

function refusalOf(error: unknown): PatternError {
  if (!(error instanceof RE2JSSyntaxException)) return refused('syntax', 'it does not parse');
  const part = error.input ?? '';
  if (/^\\[1-9]/.test(part) || part === '(?P') return refused('back_reference', `unsupported back-reference \`${part}\``);
  const look = /^\(\?<?[=!]/.exec(part);
  if (look) return refused('look_around', `unsupported look-around \`${look[0]}\``);
  return refused('syntax', error.message.replace(/^error parsing regexp: /, '').slice(0, 200));
}

function refused(code: PatternErrorCode, reason: string): PatternError {
  return new PatternError(code, `cannot be used: ${reason} (RE2 syntax: no look-around, no back-references)`);
}
