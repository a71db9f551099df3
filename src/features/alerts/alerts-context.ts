import type { Acting } from '../../contract/actor.ts';
import type { Plan } from '../../contract/plans.ts';
import type { ClickHouse } from '../../platform/clickhouse/index.ts';
import type { Clock } from '../../platform/clock/clock.ts';
import type { IncidentsFeature } from '../incidents/index.ts';
import type { NotificationsFeature } from '../notifications/index.ts';
import type { Database } from '../../platform/postgres/index.ts';

/** What rules need of notifications: their channels, and messages to them. */
export type AlertChannels = Pick<
  NotificationsFeature,
  'checkChannels' | 'setChannels' | 'deleteChannels' | 'channelsOf' | 'notify' | 'listDeliveries' | 'redeliver' | 'wake'
>;

export interface AlertsPorts {
  channels: AlertChannels;
  incidents: Pick<
    IncidentsFeature,
    | 'changesBefore'
    | 'openIncident'
    | 'updateIncident'
    | 'resolveIncident'
    | 'resolveIncidentsOfRule'
    | 'unresolved'
    | 'ingestStopped'
  >;
  /** Every project with the plan of its organization. */
  projectPlans(): Promise<ReadonlyArray<{ projectId: string; plan: Plan }>>;
  /** When the newest span of a project arrived, epoch milliseconds; 0 for never. */
  newestSpanMs(projectId: string): Promise<number>;
  /** The path of a project's pages in the dashboard. @param db the database, or a transaction */
  projectPage(db: Database, projectId: string): Promise<string>;
}

/** Who saves a rule. */
export interface RuleAuthor extends Acting {
  /** Whether it is an owner or admin, who alone may name addresses beyond the public internet. */
  administers: boolean;
}

/** Dependencies of the verbs. */
export interface AlertsContext extends AlertsPorts {
  db: Database;
  clickhouse: ClickHouse;
  clock: Clock;
}
