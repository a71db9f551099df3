import { found, placeholderOf } from '../detector.ts';
import type { Detector } from '../detector.ts';
import type { PatternPool } from '../pattern-pool.ts';
import { compilePatterns } from '../pattern-set.ts';
import type { PatternConfig } from '../pattern-set.ts';
import type { Match } from '../match.ts';
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
  const placeholders = patterns.map(({ label }) => (label === undefined ? '[REDACTED]' : placeholderOf(label)));
  // Two matches with the same label may have different placeholders: `match` is a name where it is given.
  const placeholderOfMatch = new WeakMap<Match, string>();
  return {
    detect(options) {
      const { matches, truncated, safeUntil } = set.find(options.work.text, options);
      const labels = matches.map(({ start, end, label, pattern }) => {
        const match = { start, end, label };
        placeholderOfMatch.set(match, placeholders[pattern] ?? '[REDACTED]');
        return match;
      });
      return { triggered: labels.length > 0, matches: labels, truncated, reason: found(labels, truncated), safeUntil };
    },
    placeholder: (match) => placeholderOfMatch.get(match) ?? '[REDACTED]',
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
