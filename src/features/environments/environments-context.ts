import type { EnvironmentAttachments } from '../../contract/environments.ts';
import type { ClickHouse } from '../../platform/clickhouse/index.ts';
import type { Clock } from '../../platform/clock/clock.ts';
import type { ChangeFeed, Database } from '../../platform/postgres/index.ts';

/**
 * Reads what names some environments of a project, for one kind of objects.
 *
 * @param db the database, or the transaction that deletes an environment
 * @returns names or ids by environment; environments without any may be missing
 */
export type ReadAttached = (
  db: Database,
  projectId: string,
  environments: readonly string[],
) => Promise<ReadonlyMap<string, readonly string[]>>;

/** A reader for each kind of objects that name environments. */
export type AttachmentReaders = Readonly<Record<keyof EnvironmentAttachments, ReadAttached>>;

/** Dependencies of the verbs. */
export interface EnvironmentsContext {
  db: Database;
  changeFeed: ChangeFeed;
  clickhouse: ClickHouse;
  clock: Clock;
  attachmentReaders: AttachmentReaders;
}
