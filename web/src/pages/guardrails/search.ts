import { readRange } from '../../range.ts';
import type { RangeSearch } from '../../range.ts';

/** The search parameters of a guardrail. */
export interface GuardrailSearch extends RangeSearch {
  /** The activity by default. */
  part?: 'configuration' | undefined;
}

/** Parses the search parameters of a URL; invalid values are dropped. */
export function readGuardrailSearch(search: Record<string, unknown>): GuardrailSearch {
  return { ...readRange(search), ...(search['part'] === 'configuration' ? { part: 'configuration' as const } : {}) };
}
