/** What came of a trace for the application: an order, a ticket that was solved. */
export interface OutcomeReport {
  /** Default: the active trace. It may arrive later. */
  traceId?: string | undefined;
  /** 1 to 64 of the characters `A-Z a-z 0-9 . _ -`. */
  kind: string;
  /** In `currency`. */
  value?: number | null | undefined;
  /** ISO 4217; default: USD. */
  currency?: string | null | undefined;
  success?: boolean | null | undefined;
  /** ISO 8601 with a zone; default: now. */
  occurredAt?: string | null | undefined;
  /** An outcome with the same key in the project replaces it; default: a new one. */
  idempotencyKey?: string | null | undefined;
  metadata?: Readonly<Record<string, unknown>> | null | undefined;
}

/** A change of what the project runs, such as a deployment. */
export interface ChangeReport {
  kind: 'deploy' | 'config' | 'prompt' | 'model';
  /** Default: that of the client. */
  service?: string | undefined;
  version?: string | undefined;
  commitSha?: string | undefined;
  /** Default: that of the client. */
  environment?: string | undefined;
  actor?: string | undefined;
  /** Starts with http:// or https://. */
  url?: string | undefined;
  /** ISO 8601 with a zone; default: now. */
  at?: string | undefined;
  description?: string | undefined;
  /** The same key again returns the first record; default: a new one. */
  idempotencyKey?: string | undefined;
  metadata?: Record<string, unknown> | undefined;
}

/** A change as the service stored it. */
export interface StoredChange {
  id: string;
  kind: ChangeReport['kind'];
  at: string;
  [field: string]: unknown;
}
