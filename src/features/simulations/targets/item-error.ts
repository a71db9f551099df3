/** An item that cannot be sent, or whose target gave no usable answer. The message is a sentence for the user. */
export class ItemError extends Error {
  /** Milliseconds until the answer arrived; null when none did. */
  readonly latencyMs: number | null;

  constructor(message: string, { latencyMs = null, cause }: { latencyMs?: number | null; cause?: unknown } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'ItemError';
    this.latencyMs = latencyMs;
  }
}
