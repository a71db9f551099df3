import { compilePattern as compile, PatternError } from '../../../../packages/guardrails/src/index.ts';
import type { Pattern } from '../../../../packages/guardrails/src/index.ts';

/** A pattern that cannot be used; the message completes the sentence "The pattern ...". */
export { PatternError as PatternRefused };
export type { Pattern as LinearPattern };

/**
 * Compiles the pattern of an evaluator or a schema on the guardrail engine, whose searches take time linear in the text.
 *
 * @param flags some of `i` (case), `m` (`^` and `$` at lines), `s` (`.` takes line ends) and `u` (always on)
 *
 * Errors: {@link PatternError}.
 */
export function compilePattern(pattern: string, flags: string): Pattern {
  return compile(pattern, {
    ignoreCase: flags.includes('i'),
    multiline: flags.includes('m'),
    dotAll: flags.includes('s'),
  });
}
