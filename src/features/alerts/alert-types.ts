import type { AlertType, AlertFilter } from '../../contract/alerts.ts';

/** The types that are evaluated. */
export type EvaluatedType = Exclude<AlertType, 'model-lifecycle'>;

interface TypeRules {
  /** The values that a threshold may have; null: the type takes none. */
  threshold: { min: number; max: number; sentence: string } | null;
  window: boolean;
  /** null: the type counts nothing. */
  minCount: number | null;
  filters: ReadonlyArray<keyof AlertFilter>;
  groups: ReadonlyArray<'model' | 'agent' | 'environment'>;
  environment: boolean;
  /** Whether a value fires. */
  fires(value: number, threshold: number): boolean;
  /** Whether the first value is worse than the second. */
  worse(left: number, right: number): boolean;
}

const above = (value: number, threshold: number) => value > threshold;
const calls = {
  window: true,
  filters: ['models', 'agents', 'operations'],
  groups: ['model', 'agent', 'environment'],
  environment: true,
  fires: above,
  worse: above,
} as const;
const anyNumber = { min: -Number.MAX_VALUE, max: Number.MAX_VALUE, sentence: 'must be a number' };
const nothingToNarrow = { filters: [], groups: [], environment: false } as const;

/** What each type takes, and when it fires (docs/semantics.md, "Alert rules"). */
export const typeRules: Readonly<Record<AlertType, TypeRules>> = {
  'error-rate': { ...calls, threshold: { min: 0, max: 1, sentence: 'must be a fraction from 0 to 1' }, minCount: 20 },
  latency: {
    ...calls,
    threshold: { min: 0, max: Number.MAX_VALUE, sentence: 'must be milliseconds, at least 0' },
    minCount: 20,
  },
  cost: { ...calls, threshold: { min: 0, max: Number.MAX_VALUE, sentence: 'must be US dollars, at least 0' }, minCount: 1 },
  quality: {
    ...calls,
    threshold: anyNumber,
    minCount: 5,
    filters: ['models', 'agents', 'operations', 'evaluators'],
    fires: (value, threshold) => value < threshold,
    worse: (left, right) => left < right,
  },
  guardrail: {
    ...calls,
    threshold: { min: 1, max: Number.MAX_VALUE, sentence: 'must be a number of checks, at least 1' },
    minCount: 1,
    filters: ['guardrails'],
    groups: ['environment'],
    fires: (value, threshold) => value >= threshold,
  },
  'ingest-stopped': { ...calls, ...nothingToNarrow, threshold: null, minCount: null },
  'model-lifecycle': { ...calls, ...nothingToNarrow, threshold: null, window: false, minCount: null },
};
