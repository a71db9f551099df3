import type { Clock } from './clock.ts';

/** A request to the service. */
export interface ServiceRequest {
  /** Default: GET. */
  method?: string;
  headers?: Readonly<Record<string, string>>;
  body?: string | Uint8Array<ArrayBuffer>;
  /** Milliseconds after which it is given up. Default: those of the client. */
  timeoutMs?: number;
}

/** An answer of the service, read whole. */
export interface Answer {
  readonly status: number;
  /** Whether the status is one of success. */
  readonly ok: boolean;
  readonly headers: Headers;
  /** Read from JSON; undefined where it is none. */
  readonly body: unknown;
}

/** The service that a client speaks to, as the parts of the SDK use it. */
export interface Service {
  readonly clock: Clock;
  /** Milliseconds after which a request is given up, unless it has a limit of its own. */
  readonly timeoutMs: number;
  /** Numbers from 0 to 1, for jitter. */
  random(): number;
  /**
   * Sends a request with the API key to a path such as `/v1/ingest`. Resolves with any answer, of whatever status; rejects when none came in time.
   */
  request(path: string, request?: ServiceRequest): Promise<Answer>;
  /** Reports what went wrong to the application's `onError`. Never throws. */
  report(error: Error): void;
}
