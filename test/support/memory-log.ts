import type { SegmentInfo, WalStats, WriteAheadLog } from '../../src/platform/wal/wal.ts';

/** A write-ahead log in memory. Segments can be replayed, as after a crash. */
export class MemoryLog implements WriteAheadLog {
  #active: Uint8Array[] = [];
  #closed: Array<{ info: SegmentInfo; records: Uint8Array[] }> = [];
  #nextId = 1;
  /** Every closed segment, oldest first. */
  readonly history: Array<{ info: SegmentInfo; records: Uint8Array[] }> = [];

  append(record: Uint8Array): Promise<void> {
    this.#active.push(record);
    return Promise.resolve();
  }

  rotate(): Promise<readonly SegmentInfo[]> {
    if (this.#active.length > 0) {
      const records = this.#active;
      const bytes = records.reduce((sum, record) => sum + record.length, 0);
      const segment = { info: { id: this.#nextId++, path: '', bytes, records: records.length }, records };
      this.#closed.push(segment);
      this.history.push(segment);
      this.#active = [];
    }
    return Promise.resolve(this.closedSegments());
  }

  closedSegments(): readonly SegmentInfo[] {
    return this.#closed.map((segment) => segment.info);
  }

  read(segment: SegmentInfo): Promise<readonly Uint8Array[]> {
    return Promise.resolve(this.#closed.find(({ info }) => info.id === segment.id)?.records ?? []);
  }

  remove(segment: SegmentInfo): Promise<void> {
    this.#closed = this.#closed.filter(({ info }) => info.id !== segment.id);
    return Promise.resolve();
  }

  /** Returns a removed segment to the log, as a crash before its removal does. */
  restore(id: number): void {
    const segment = this.history.find(({ info }) => info.id === id);
    if (segment) this.#closed.push(segment);
  }

  stats(): WalStats {
    const backlogRecords = this.#active.length + this.#closed.reduce((sum, { records }) => sum + records.length, 0);
    return {
      failure: null,
      backlogBytes: 0,
      backlogLimitBytes: 1,
      backlogRecords,
      commits: 0,
      quarantined: 0,
      tornBytes: 0,
    };
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
