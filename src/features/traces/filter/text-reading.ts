import type { SqlPart } from '../../../platform/clickhouse/index.ts';

/** How the rows of `span_texts` are read (ADR 0031). */
export interface TextReading {
  /** Whether the table has an index of words. */
  hasWords: boolean;
  /** Which rows are read: a condition on `start_time`. null: all. */
  within: SqlPart | null;
}
