import type { OracleScore, OracleSpan } from './model-oracle.ts';

export type Outcome =
  /** Answered with 2xx. */
  | 'acknowledged'
  /** Refused with a status that means that nothing was stored. */
  | 'refused'
  /** No answer, or an ambiguous one: applied completely or not at all. */
  | 'unknown';

/** A request to ingestion. The names of its spans identify the request. */
export interface SentEvents {
  traceId: string;
  spans: readonly OracleSpan[];
  scores: readonly OracleScore[];
  outcome: Outcome;
}

/** A request with outcomes of one trace. Its kind identifies it; the nth outcome has the value 2^n, so that the sum tells which are stored. */
export interface SentOutcomes {
  traceId: string;
  kind: string;
  count: number;
  outcome: Outcome;
}

/** Outcomes with one idempotency key, of one trace and kind: each replaces the one before. */
export interface KeyedOutcomes {
  traceId: string;
  /** Values that the outcome may have, several after requests with an unknown outcome; null: there may be none. */
  allowed: Array<number | null>;
}

/** A change by another route, with a check. */
export interface SentChange {
  what: string;
  outcome: Outcome;
  /** Rows that it creates, all or none. */
  rows: number;
  /** Reads how many of them exist. */
  observe(): Promise<number>;
}

/** All requests to a service and their outcomes. The requests of one trace, and of one prompt, are sent in sequence. */
export class Ledger {
  readonly traces = new Map<string, SentEvents[]>();
  readonly deletions = new Map<string, Outcome>();
  readonly changes: SentChange[] = [];
  readonly outcomes: SentOutcomes[] = [];
  /** By kind. */
  readonly keyedOutcomes = new Map<string, KeyedOutcomes>();
  /** Number of answers by request and status. */
  readonly statuses = new Map<string, number>();
  /** Allowed versions of the label by prompt; several after moves with an unknown outcome. */
  readonly labels = new Map<string, number[]>();
  requests = 0;
  /** Spans whose score was lost by a flipped bit of the log. */
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

  /** The outcome of a request by status. It is unknown after a server error: the log may hold the record. */
  judge(what: string, status: number | null): Outcome {
    const shown = `${what} ${status ?? 'broken off'}`;
    this.statuses.set(shown, (this.statuses.get(shown) ?? 0) + 1);
    if (status !== null && status >= 200 && status < 300) return 'acknowledged';
    return status !== null && status < 500 ? 'refused' : 'unknown';
  }

  /** Unexpected answers: all except 2xx, 429, 503 and 404. */
  surprises(): string[] {
    return [...this.statuses]
      .filter(([shown]) => !/ (2\d\d|429|503|404|broken off)$/.test(shown))
      .map(([shown, count]) => `${shown} (${count} times)`);
  }

  count(outcome: Outcome): number {
    return [...this.traces.values()].flat().filter((entry) => entry.outcome === outcome).length;
  }
}
