/**
 * The write-ahead log: a 2xx on ingestion means that the records are fsynced here. It knows no feature: a
 * record is bytes. Records are appended by many requests, group-committed with one fdatasync in a thread of its own, and
 * read back segment by segment by one consumer, which deletes a segment once its content is durable elsewhere.
 */
export interface WriteAheadLog {
  /**
   * Appends one record and resolves once it is fsynced. Order of records = order of calls. The bytes must stay as they are until
   * then: they are copied when their batch is made. At most 64 MiB, else RangeError.
   * Rejects with {@link WalFullError} when the backlog is at its limit and with {@link WalFailedError} after a write error; in both cases
   * the caller must not acknowledge. From a full disk the log recovers by itself once there is space, in a new segment; from any other
   * error it does not until it is reopened.
   */
  append(record: Uint8Array): Promise<void>;

  /**
   * Closes the active segment if it holds records, so that the consumer can have it. Resolves with the segments ready for
   * the consumer, oldest first. Covers what was acknowledged before the call; a record that is still queued may come into the next
   * segment. In a failed log it closes what was acknowledged, so that the consumer still gets all of it.
   */
  rotate(): Promise<readonly SegmentInfo[]>;

  /** The closed segments, oldest first; after opening these are what an earlier process left. */
  closedSegments(): readonly SegmentInfo[];

  /**
   * The records of a closed segment, in order. A torn tail (an incomplete last record that was never acknowledged) is cut
   * when the log is opened; a record whose checksum is wrong moves the segment's unreadable rest to quarantine, and the
   * readable ones are still returned.
   */
  read(segment: SegmentInfo): Promise<readonly Uint8Array[]>;

  /** Deletes a closed segment (and fsyncs the directory). Harmless to repeat, also after it failed. Works in a failed log. */
  remove(segment: SegmentInfo): Promise<void>;

  stats(): WalStats;

  /** Commits what is queued and closes. */
  close(): Promise<void>;
}

/** An opened log with the id, a uuid, that names its directory's log for good. */
export interface OpenedWal extends WriteAheadLog {
  readonly id: string;
  /** Writes a record that its consumer cannot read to `quarantine/`, durably, under the given name. */
  setAside(name: string, record: Uint8Array): Promise<void>;
  /**
   * Fills a new directory on the same file system with a log that holds every record acknowledged before the call and not yet removed: hard
   * links to closed segments, which nobody changes, and the newest segment's header, which remembers the highest id. Rejects in a failed log.
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
  /** null while healthy, else what went wrong (for `/readyz` and the log, not for callers). */
  failure: Error | null;
  backlogBytes: number;
  backlogLimitBytes: number;
  backlogRecords: number;
  commits: number;
  /** Unreadable ranges found since the log was opened; each is a file in `quarantine/`. */
  quarantined: number;
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
