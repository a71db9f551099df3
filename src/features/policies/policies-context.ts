import type { EnvironmentAttachments } from '../../contract/environments.ts';
import type { ClickHouse } from '../../platform/clickhouse/index.ts';
import type { Clock } from '../../platform/clock/clock.ts';
import type { ChangeFeed, Database } from '../../platform/postgres/index.ts';
import type { Replays } from './replay/replay-plan.ts';
import type { PolicyReader } from './reader/policy-reader.ts';

/** What the feature needs of others. */
export interface PoliciesPorts {
  /** Whether a project has a model connection of this name. */
  hasConnectionNamed(projectId: string, name: string): Promise<boolean>;
  /** The oldest projects of an organization. */
  projectsOf(organizationId: string, most: number): Promise<Array<{ id: string; name: string; slug: string }>>;
  /** The records that name each of some environments. @param db the transaction that removes them */
  attachedTo(db: Database, projectId: string, names: readonly string[]): Promise<ReadonlyMap<string, EnvironmentAttachments>>;
}

/** Dependencies of the verbs. */
export interface PoliciesContext extends PoliciesPorts {
  db: Database;
  changeFeed: ChangeFeed;
  clickhouse: ClickHouse;
  clock: Clock;
  reader: PolicyReader;
  replays: Replays;
}
