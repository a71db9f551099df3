import { demonstrationTraces } from './demonstration-traces.ts';
import type { DemonstrationEvent, DemonstrationOptions } from './demonstration-traces.ts';
import { demonstrationOutcomes } from './demonstration-outcomes.ts';
import type { DemonstrationOutcome } from './demonstration-outcomes.ts';
import { Random } from './random.ts';

/** Maximum events of a request to `POST /v1/ingest` (docs/semantics.md, "Body limits"). */
const largestBatch = 100;

export interface SeedTarget {
  /** Takes up to 100 events, as `POST /v1/ingest` does; resolves once they are durable. */
  send(events: readonly DemonstrationEvent[]): Promise<void>;
  /** Takes up to 100 outcomes, as `POST /v1/ingest/outcomes` does; resolves once they are durable. */
  report(outcomes: readonly DemonstrationOutcome[]): Promise<void>;
}

/**
 * Sends a demonstration month in requests of up to 100 events, and the outcomes of their traces.
 *
 * @param onProgress called with the number of spans sent so far
 * @returns how much was sent
 */
export async function seed(
  options: DemonstrationOptions,
  target: SeedTarget,
  onProgress: (spans: number) => void,
): Promise<{ traces: number; spans: number; scores: number; outcomes: number }> {
  const sent = { traces: 0, spans: 0, scores: 0, outcomes: 0 };
  // Of its own, so that the traces of a seed do not depend on the outcomes.
  const random = new Random(options.seed + 1);
  let outcomes: DemonstrationOutcome[] = [];
  let batch: DemonstrationEvent[] = [];
  const flush = async () => {
    if (batch.length > 0) await target.send(batch);
    batch = [];
    if (outcomes.length > 0) await target.report(outcomes);
    outcomes = [];
    onProgress(sent.spans);
  };
  for (const events of demonstrationTraces(options)) {
    if (batch.length + events.length > largestBatch) await flush();
    batch.push(...events);
    const ofTrace = demonstrationOutcomes(events, random, options.endMs);
    outcomes.push(...ofTrace);
    sent.outcomes += ofTrace.length;
    sent.traces += 1;
    sent.spans += events.filter((event) => event.type === 'span').length;
    sent.scores += events.filter((event) => event.type === 'score').length;
  }
  await flush();
  return sent;
}
