export { compilePattern, PatternError } from './pattern.ts';
export type { Pattern, PatternErrorCode, PatternOptions } from './pattern.ts';
export { compilePatterns, PatternSetError } from './pattern-set.ts';
export type { FindOptions, PatternConfig, PatternMatch, PatternMatches, PatternProblem, PatternSet } from './pattern-set.ts';
