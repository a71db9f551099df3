import type { Logger } from 'pino';
import type { ClickHouse } from '../clickhouse/index.ts';
import type { Clock } from '../clock/clock.ts';
import type { DataDirectory } from '../data-directory/index.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Postgres } from '../postgres/index.ts';
import type { BucketStore } from '../rate-limit/index.ts';
import type { OpenedWal } from '../wal/index.ts';

/** All stores of the service, opened and migrated. */
export interface Stores {
  directory: DataDirectory;
  postgres: Postgres;
  clickhouse: ClickHouse;
  wal: OpenedWal;
  /** Where replicas share the rate limit; null: there is one process only. */
  buckets: BucketStore | null;
}

/** What features are opened with. */
export interface Platform extends Stores {
  log: Logger;
  clock: Clock;
  metrics: Metrics;
  /** The installation's secret, which encrypts credentials at rest. */
  secret: string;
  /** Whether other processes may write to the same stores: both are servers. */
  replicated: boolean;
  /** Scheme, host and port under which browsers know the service. Known once the process listens. */
  publicOrigin(): string;
}
