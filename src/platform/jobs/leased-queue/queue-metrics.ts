/** Counters of one queue. */
export interface QueueMetrics {
  claimed(pool: string, jobs: number): void;
  /** @param outcome the final status, `retry` or `removed` */
  ended(outcome: string): void;
  /** Jobs that were queued again because their lease had expired. */
  recovered(jobs: number): void;
  /** Jobs that found the queue full. */
  refused(jobs: number): void;
}

export const silentMetrics: QueueMetrics = {
  claimed: () => undefined,
  ended: () => undefined,
  recovered: () => undefined,
  refused: () => undefined,
};
