/**
 * The write-ahead log: a 2xx on ingestion means that the records are fsynced here. Records are opaque bytes, appended by many requests,
 * group-committed with one fdatasync in a dedicated thread, and read segment by segment by one consumer, which deletes a segment once its content is
 * durable elsewhere.
 */
export interface WriteAheadLog {
  /**
   * Appends one record and resolves once it is fsynced. Records keep the order of the calls. The bytes must not change until then: they are copied
   * when their batch is formed. At most 64 MiB, else RangeError. Rejects with {@link WalFullError} when the backlog is at its limit and with
   * {@link WalFailedError} after a write error; in both cases the caller must not acknowledge. After a full disk, or for want of a file
   * descriptor or memory, the log continues in a new segment once there is some; after any other error it must be reopened.
   */
  append(record: Uint8Array): Promise<void>;

  /**
   * Closes the active segment if it has records. Resolves with all closed segments, oldest first. They contain every record acknowledged before the
   * call; a queued record may be written to the next segment. In a failed log they contain all acknowledged records.
   */
  rotate(): Promise<readonly SegmentInfo[]>;

  /** The closed segments, oldest first; after opening, those of earlier processes. */
  closedSegments(): readonly SegmentInfo[];

  /**
   * The records of a closed segment, in order. A torn tail (an incomplete last record that was never acknowledged) is truncated when the log is
   * opened; unreadable bytes are moved to quarantine, and readable records are still returned.
   */
  read(segment: SegmentInfo): Promise<readonly Uint8Array[]>;

  /** Deletes a closed segment and fsyncs the directory. Idempotent; works in a failed log. */
  remove(segment: SegmentInfo): Promise<void>;

  stats(): WalStats;

  /** Commits queued records and closes. */
  close(): Promise<void>;
}

/** An opened log; `id` is the permanent UUID of its directory's log. */
export interface OpenedWal extends WriteAheadLog {
  readonly id: string;
  /** Writes a record that its consumer cannot read to `quarantine/`, durably, under the given name. */
  setAside(name: string, record: Uint8Array): Promise<void>;
  /**
   * Fills a new directory on the same file system with a log that holds every record acknowledged before the call and not yet removed: hard
   * links to closed segments, which never change, and the newest segment's header, whose file name records the highest id. Rejects in a failed log.
   */
  snapshot(directory: string): Promise<void>;
}

export interface SegmentInfo {
  /** Strictly rising over the life of the data directory, restarts included: usable as a deduplication token. */
  id: number;
  path: string;
  bytes: number;
  records: number;
}

export interface WalStats {
  /** null while healthy, else the error (for `/readyz` and the log, not for callers). */
  failure: Error | null;
  backlogBytes: number;
  backlogLimitBytes: number;
  backlogRecords: number;
  commits: number;
  /** Unreadable ranges found since the log was opened; each is a file in `quarantine/`. */
  quarantined: number;
  /** Bytes of a record without its end that were cut off when the log was opened; 0 for none. */
  tornBytes: number;
}

/** The backlog, or the queue in front of the disk, is at its limit: answer 503 with `Retry-After`. */
export class WalFullError extends Error {
  constructor(backlogBytes: number, reason = `holds ${backlogBytes} bytes that ClickHouse has not taken yet`) {
    super(`the write-ahead log ${reason}`);
    this.name = 'WalFullError';
  }
}

/** A write or fsync failed: nothing can be acknowledged until the log recovers or is reopened. */
export class WalFailedError extends Error {
  constructor(cause: unknown) {
    super('the write-ahead log cannot be written', { cause });
    this.name = 'WalFailedError';
  }
}
