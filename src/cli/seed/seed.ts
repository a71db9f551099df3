import { demonstrationTraces } from './demonstration-traces.ts';
import type { DemonstrationEvent } from './demonstration-traces.ts';

/** Maximum events of a request to `POST /v1/ingest` (docs/semantics.md, "Body limits"). */
const largestBatch = 100;

export interface SeedOptions {
  spans: number;
  seed: number;
  days: number;
  endMs: number;
}

export interface SeedTarget {
  /** Takes up to 100 events, as `POST /v1/ingest` does; resolves once they are durable. */
  send(events: readonly DemonstrationEvent[]): Promise<void>;
}

/**
 * Sends a demonstration month in requests of up to 100 events.
 *
 * @param onProgress called with the number of spans sent so far
 * @returns how much was sent
 */
export async function seed(
  options: SeedOptions,
  target: SeedTarget,
  onProgress: (spans: number) => void,
): Promise<{ traces: number; spans: number; scores: number }> {
  const sent = { traces: 0, spans: 0, scores: 0 };
  let batch: DemonstrationEvent[] = [];
  const flush = async () => {
    if (batch.length > 0) await target.send(batch);
    batch = [];
    onProgress(sent.spans);
  };
  for (const events of demonstrationTraces(options)) {
    if (batch.length + events.length > largestBatch) await flush();
    batch.push(...events);
    sent.traces += 1;
    sent.spans += events.filter((event) => event.type === 'span').length;
    sent.scores += events.filter((event) => event.type === 'score').length;
  }
  await flush();
  return sent;
}
