import type { RejectedLine } from './channel.ts';
import { newSpanId } from '../id.ts';
import { version } from '../version.ts';

/** Why an event was dropped. */
export type DropReason = 'queue_full' | 'too_old' | 'refused';

/** What became of the events, outcomes and changes that a client was given. Each counts once, however often it is sent. */
export interface DeliveryReport {
  /** Sent to the service at least once. */
  sent: number;
  /** Stored by the service. */
  accepted: number;
  /** The last 100 that the service rejected one by one, with their line in the request. */
  rejected: RejectedLine[];
  dropped: {
    /** The queue was full. */
    queue_full: number;
    /** Not delivered within 24 hours. */
    too_old: number;
    /** The service refused the request for good, `redact` threw, or an outcome has no trace. */
    refused: number;
  };
  /** Waiting to be sent, or sent without an answer so far. */
  queued: number;
  /** The last thing that went wrong, of whatever kind. */
  lastError: string | null;
}

const maxRejected = 100;

/** Counters of a client since its start. */
export class Counts {
  sent = 0;
  accepted = 0;
  rejected = 0;
  queued = 0;
  readonly dropped: Record<DropReason, number> = { queue_full: 0, too_old: 0, refused: 0 };
  lastError: string | null = null;
  readonly #lines: RejectedLine[] = [];
  #id = '';

  reject(line: RejectedLine): void {
    this.rejected += 1;
    if (this.#lines.push(line) > maxRejected) this.#lines.shift();
  }

  report(): DeliveryReport {
    const { sent, accepted, dropped, queued, lastError } = this;
    return { sent, accepted, rejected: [...this.#lines], dropped: { ...dropped }, queued, lastError };
  }

  /** The header `x-spanwise-client`, which shows the service what its clients could not deliver. */
  header(): string {
    const { sent, accepted, rejected, dropped, queued } = this;
    // Not at the start: some edge runtimes have no random numbers there.
    this.#id ||= newSpanId();
    const counters = { sent, accepted, rejected, ...dropped, queued, id: this.#id };
    return [`sdk-js/${version}`, ...Object.entries(counters).map(([name, count]) => `${name}=${count}`)].join('; ');
  }
}
