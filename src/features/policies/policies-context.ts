import type { ClickHouse } from '../../platform/clickhouse/index.ts';
import type { Clock } from '../../platform/clock/clock.ts';
import type { ChangeFeed } from '../../platform/postgres/index.ts';
import type { PoliciesDb } from '../policy-revisions/index.ts';
import type { PolicyReader } from './reader/policy-reader.ts';

/** What the feature needs of others. */
export interface PoliciesPorts {
  /** Whether a project has a model connection of this name. */
  hasConnectionNamed(projectId: string, name: string): Promise<boolean>;
}

/** Dependencies of the verbs. */
export interface PoliciesContext extends PoliciesPorts {
  db: PoliciesDb;
  changeFeed: ChangeFeed;
  clickhouse: ClickHouse;
  clock: Clock;
  reader: PolicyReader;
}
