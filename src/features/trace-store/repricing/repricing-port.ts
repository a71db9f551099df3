import type { CostChange, RepricedRange, RepricingPage, SpanPosition } from './plan-repricing.ts';

/** The steps of a repricing, page by page. Each may be repeated. */
export interface RepricingPort {
  /** Resolves when everything that this process accepted before is stored. */
  drain(): Promise<void>;
  /** Prices the spans after a position anew, up to another one if it is given. Changes nothing. */
  plan(range: RepricedRange, after: SpanPosition, upTo: SpanPosition | null): Promise<RepricingPage>;
  /** Stores the costs of a page; figures follow. Runs between two batches. */
  apply(projectId: string, changes: readonly CostChange[]): Promise<void>;
  /**
   * Marks again every hour that was marked at or after `sinceMs` (epoch milliseconds): an attempt that stored costs may have been interrupted before it
   * marked their hours a second time, and the next one finds no change.
   */
  markHoursSince(sinceMs: number): Promise<void>;
}
