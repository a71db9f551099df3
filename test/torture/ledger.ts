import type { OracleScore, OracleSpan } from '../api/model-oracle.ts';

export type Outcome =
  /** It was answered with a 2xx. */
  | 'acknowledged'
  /** It was refused in a way that says that nothing was stored. */
  | 'refused'
  /** It may have been carried out, wholly or not at all: no answer, or one that does not say. */
  | 'unknown';

/** One request to ingestion. The spans' names say which request they are of. */
export interface SentEvents {
  traceId: string;
  spans: readonly OracleSpan[];
  scores: readonly OracleScore[];
  outcome: Outcome;
}

/** A change by another route, with a way to see how much of it is there. */
export interface SentChange {
  what: string;
  outcome: Outcome;
  /** How many rows it makes, all or none. */
  rows: number;
  /** How many of them can be read. */
  observe(): Promise<number>;
}

/** Everything that was sent to a service, and how it answered. The requests of a trace, and of a prompt, have one sender and an order. */
export class Ledger {
  readonly traces = new Map<string, SentEvents[]>();
  readonly deletions = new Map<string, Outcome>();
  readonly changes: SentChange[] = [];
  /** By what it was: how often the service answered so. */
  readonly statuses = new Map<string, number>();
  /** Where the label is allowed to sit, by the prompt's name; several after moves whose outcome is not known. */
  readonly labels = new Map<string, number[]>();
  requests = 0;
  /** Spans whose evaluation was hit on its way, in the log that scores take too. */
  readonly lostEvaluations = new Set<string>();

  nextRequest(): number {
    this.requests += 1;
    return this.requests;
  }

  events(sent: Omit<SentEvents, 'outcome'>): SentEvents {
    const entry: SentEvents = { ...sent, outcome: 'unknown' };
    const ofTrace = this.traces.get(sent.traceId);
    if (ofTrace) ofTrace.push(entry);
    else this.traces.set(sent.traceId, [entry]);
    return entry;
  }

  /** What a status says about a request. Server errors leave it open: its record may be in the log although nobody could say so. */
  judge(what: string, status: number | null): Outcome {
    const shown = `${what} ${status ?? 'broken off'}`;
    this.statuses.set(shown, (this.statuses.get(shown) ?? 0) + 1);
    if (status !== null && status >= 200 && status < 300) return 'acknowledged';
    return status !== null && status < 500 ? 'refused' : 'unknown';
  }

  /** Answers that nobody should get, whatever the fault: those are 2xx, 429, 503, and for what is gone 404. */
  surprises(): string[] {
    return [...this.statuses]
      .filter(([shown]) => !/ (2\d\d|429|503|404|broken off)$/.test(shown))
      .map(([shown, count]) => `${shown} (${count} times)`);
  }

  count(outcome: Outcome): number {
    return [...this.traces.values()].flat().filter((entry) => entry.outcome === outcome).length;
  }
}
