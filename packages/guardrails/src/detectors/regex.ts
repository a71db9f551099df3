import { found, placeholderOf } from '../detector.ts';
import type { Detector } from '../detector.ts';
import type { PatternPool } from '../pattern-pool.ts';
import { compilePatterns, defaultLabel } from '../pattern-set.ts';
import type { PatternConfig } from '../pattern-set.ts';

export interface RegexConfig {
  patterns: readonly PatternConfig[];
}

/** Matches of patterns; see `compilePatterns`. @param pool the patterns of all guardrails that check together. Errors: PatternSetError. */
export function regexDetector({ patterns }: RegexConfig, pool?: PatternPool): Detector {
  const set = compilePatterns(patterns, pool);
  return {
    detect(options) {
      const { matches, truncated, safeUntil } = set.find(options.work.text, options);
      const labels = matches.map(({ start, end, label }) => ({ start, end, label }));
      return { triggered: labels.length > 0, matches: labels, truncated, reason: found(labels, truncated), safeUntil };
    },
    // The default label, given or left out, is no name.
    placeholder: ({ label }) => (label === defaultLabel ? '[REDACTED]' : placeholderOf(label)),
  };
}
