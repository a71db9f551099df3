import type { FilterField } from './fields.ts';

/** A filter as it was read (docs/filter.md). An empty filter is `all` without terms. */
export type Filter =
  | { type: 'all' | 'some'; terms: readonly Filter[] }
  | { type: 'not'; term: Filter }
  /** One span that meets the term, or no such span. */
  | { type: 'any' | 'none'; term: Filter }
  /** Searched in the texts of one span. */
  | { type: 'text'; text: string }
  | FieldTerm;

export interface FieldTerm {
  type: 'field';
  field: FilterField;
  /** What follows the name of a field of type `key`: the path of a metadata value, else one key. */
  path: readonly string[];
  /** null asks whether the field is there. One of several values is met. */
  values: readonly FilterValue[] | null;
}

export type FilterValue =
  | { type: 'text'; text: string; match: TextMatch }
  | { type: 'number'; range: NumberRange; written: string }
  | { type: 'boolean'; value: boolean }
  | { type: 'time'; range: MomentRange; written: string };

/** Where a text stands within the value. */
export type TextMatch = 'whole' | 'beginning' | 'end' | 'part';

/** Numbers from `from` to `to`; an undefined end is open. */
export interface NumberRange {
  from?: number;
  to?: number;
  /** Whether the end itself is left out. */
  isFromOut?: true;
  isToOut?: true;
}

/** Moments in epoch milliseconds; an undefined end is open. */
export interface MomentRange {
  /** Inclusive. */
  fromMs?: number;
  /** Exclusive. */
  beforeMs?: number;
}
