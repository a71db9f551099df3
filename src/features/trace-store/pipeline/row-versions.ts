import type { ClickHouse } from '../../../platform/clickhouse/index.ts';
import type { Clock } from '../../../platform/clock/clock.ts';

/** The versions of rows: of the rows with one sorting key the one with the highest version counts. */
export class RowVersions {
  readonly #clock: Clock;
  readonly #mode: ClickHouse['mode'];
  #last = 0;
  /** The highest version in ClickHouse. */
  #written = 0;

  constructor(clock: Clock, mode: ClickHouse['mode']) {
    this.#clock = clock;
    this.#mode = mode;
  }

  /** Takes over the versions of an earlier process. @param written the highest version in ClickHouse */
  begin(written: number): void {
    this.#written = written;
    this.#last = written;
  }

  /** Keeps later versions above that of a record in the log. */
  keepAbove(version: number): void {
    this.#last = Math.max(this.#last, version);
  }

  /** Reserves versions for rows that arrive now (epoch milliseconds). @returns the first and the last */
  reserve(rowCount: number, nowMs: number): { first: number; last: number } {
    // Skips one version for a deletion: above all written rows and below all later ones.
    const first = Math.max(this.#last + 2, nowMs * 1000);
    this.#last = first + rowCount - 1;
    return { first, last: this.#last };
  }

  /** Notes that rows up to a version are in ClickHouse. */
  written(version: number): void {
    this.#written = Math.max(this.#written, version);
  }

  /** A version above those of all written rows, and below those of rows that are written later. */
  aboveWritten(): number {
    if (this.#mode === 'embedded') return this.#written + 1;
    // Versions follow the clock, since those of other replicas are not known.
    this.#last = Math.max(this.#last + 1, this.#clock.now() * 1000);
    return this.#last;
  }
}
