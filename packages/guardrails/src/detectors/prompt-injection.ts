import type { Detector } from '../detector.ts';
import { injectionPatterns } from '../entities/injection-patterns.ts';
import { compilePatterns } from '../pattern-set.ts';
import type { PatternSet } from '../pattern-set.ts';

export interface PromptInjectionConfig {
  /** Smallest score of a pattern that counts, above 0 to 1; 0.5 by default. */
  threshold?: number | undefined;
}

const label = 'prompt_injection';
/** The threshold of a configuration without one. */
export const defaultThreshold = 0.5;
let compiled: PatternSet | null = null;

/** Matches of phrases that try to replace a model's instructions. Patterns find a part of all attempts only. */
export function promptInjectionDetector({ threshold = defaultThreshold }: PromptInjectionConfig): Detector {
  // One set for all thresholds, so that guardrails with different ones share its work on a text.
  const set = (compiled ??= compilePatterns(injectionPatterns.map(({ pattern }) => ({ pattern, label, ignoreCase: true }))));
  const only = new Set([...injectionPatterns.keys()].filter((index) => (injectionPatterns[index]?.score ?? 0) >= threshold));
  return {
    detect(options) {
      const { matches, truncated, safeUntil } = set.find(options.work.text, { ...options, only });
      const score = Math.max(0, ...matches.map(({ pattern }) => injectionPatterns[pattern]?.score ?? 0));
      return {
        triggered: matches.length > 0,
        matches: matches.map(({ start, end }) => ({ start, end, label })),
        truncated,
        reason: matches.length > 0 ? `A phrase that tries to replace instructions, score ${score}.` : null,
        safeUntil,
      };
    },
  };
}
