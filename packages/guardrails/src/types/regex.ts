import { found, placeholderOf, redacted } from '../detector.ts';
import type { Detector } from '../detector.ts';
import type { PatternPool } from '../pattern-pool.ts';
import { compilePatterns } from '../pattern-set.ts';
import type { PatternConfig } from '../pattern-set.ts';
import type { Fields } from '../config-fields.ts';
import { boolean, objects, text } from '../config-rules.ts';
import type { FieldRule } from '../config-rules.ts';
import { compilePattern, PatternError } from '../pattern.ts';
import type { GuardrailTypeDescription } from './guardrail-type.ts';

interface RegexConfig {
  patterns: readonly PatternConfig[];
}

/** Matches of patterns; see `compilePatterns`. @param pool the patterns of all guardrails that check together. Errors: PatternSetError. */
function regexDetector({ patterns }: RegexConfig, pool?: PatternPool): Detector {
  const set = compilePatterns(patterns, pool);
  const ofPattern = patterns.map(({ label }) => (label === undefined ? redacted : placeholderOf(label)));
  return {
    prepare: () => set.prepare(),
    detect(options) {
      const { matches, truncated, safeUntil } = set.find(options.work.text, options);
      return {
        triggered: matches.length > 0,
        matches: matches.map(({ start, end, label }) => ({ start, end, label })),
        // Of the pattern: two matches with the same label may have different ones, for `match` is a name where it is given.
        placeholders: matches.map(({ pattern }) => ofPattern[pattern] ?? redacted),
        truncated,
        reason: found(matches, truncated),
        safeUntil,
      };
    },
  };
}

const longestLabel = 100;
/** Without one matches are called `match`, and `[REDACTED]` replaces them. */
const label: FieldRule = text(longestLabel);

function checkPattern(own: Fields): void {
  const source = own.value('pattern');
  if (typeof source !== 'string' || source === '') return;
  try {
    own.sizes.push(compilePattern(source, { ignoreCase: own.value('ignoreCase') === true }).size);
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    own.add('/pattern', error.message);
  }
}

export const regex: GuardrailTypeDescription<'regex'> = {
  name: 'regex',
  title: 'Patterns',
  hint: 'Finds matches of regular expressions.',
  fields: { patterns: objects(50, { pattern: text(10_000, true), label, ignoreCase: boolean(false) }, checkPattern) },
  example: { patterns: [{ pattern: String.raw`\bINV-\d{6}\b`, label: 'invoice' }] },
  redacts: true,
  defaultAction: 'block',
  slow: true,
  detector: regexDetector,
  patternsOf: ({ patterns }: RegexConfig) => patterns,
};
