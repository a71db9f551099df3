import type { ChangeRecord } from '../../contract/changes.ts';
import type { Clock } from '../../platform/clock/clock.ts';
import type { NotificationsFeature } from '../notifications/index.ts';
import type { Database } from '../../platform/postgres/index.ts';

/** `notify` queues a message for the channels of a rule in the caller's transaction; `wake` starts to send what a committed one queued. */
export interface IncidentsPorts extends Pick<NotificationsFeature, 'notify' | 'wake'> {
  /** The changes of a project between two times (epoch milliseconds, inclusive), newest first; at most `limit`. */
  changesBetween(projectId: string, fromMs: number, toMs: number, limit: number): Promise<ChangeRecord[]>;
  /** The path of a project's pages in the dashboard. @param db the database, or a transaction */
  projectPage(db: Database, projectId: string): Promise<string>;
}

/** Dependencies of the verbs. */
export interface IncidentsContext extends IncidentsPorts {
  db: Database;
  clock: Clock;
}
