import type { CostStatus } from '../../../contract/kinds.ts';
import type { OutputScore } from '../../evaluation/index.ts';
import type { SpanRecord } from '../../records/index.ts';
import type { ItemRow } from '../tables.ts';
import type { PendingItem } from './item-feed.ts';

/** What is recorded about an item. */
export interface ItemResult {
  item: Pick<PendingItem, 'place' | 'repetition' | 'datasetItemId'>;
  /** `pending`: the target has answered, and evaluators that ask models have not run yet. */
  status: Exclude<ItemRow['status'], 'cancelled'>;
  /** The target's answer, recorded with it; null: it was recorded before. */
  answer: {
    /** JSON text; null without an output. */
    output: string | null;
    latencyMs: number | null;
    costUsd: number | null;
    /** Of the call among its spans; null without one. */
    costStatus: CostStatus | null;
    /** Of the item's trace. */
    spans: SpanRecord[];
  } | null;
  error: string | null;
  errorKind: ItemRow['error_kind'];
  referenceMatch: boolean | null;
  scores: readonly OutputScore[];
}

/** Approximate bytes of a result in memory. */
export function bytesOf({ answer }: ItemResult): number {
  if (answer === null) return 1_000;
  return (
    2_000 +
    (answer.output?.length ?? 0) * 2 +
    answer.spans.reduce((sum, { input, output }) => sum + input.length + output.length, 0)
  );
}
