import type { ClickHouse } from '../../platform/clickhouse/index.ts';
import type { Clock } from '../../platform/clock/clock.ts';
import type { Database, Postgres } from '../../platform/postgres/index.ts';
import type { Plan } from '../../contract/plans.ts';
import type { JobMaker } from '../jobs/index.ts';
import type { DeletedData, IngestPipeline, IngestTenant } from '../trace-store/index.ts';
import type { TracesFeature } from '../traces/index.ts';

/** What a deletion keeps of its request: the id of the user is what it removes. */
export interface UserDeletion {
  /** Hexadecimal. */
  userIdSha256: string;
  plan: Plan;
}

/** What the jobs of deletions use. */
export interface DeletionContext {
  db: Database;
  /** A server is backed up by its operator's own tools. */
  mode: Postgres['mode'];
  clickhouse: ClickHouse;
  clock: Clock;
  pipeline: Pick<IngestPipeline, 'deleteTraces'>;
  /** Removes every export of a project, since any may hold what is deleted. */
  forgetExports(projectId: string): Promise<void>;
  /** Deletes what people and jobs made from traces and sessions; may be repeated. */
  forgetMadeFrom(tenant: IngestTenant, deleted: DeletedData): Promise<void>;
}

export interface UserDataContext {
  db: Database;
  traces: Pick<TracesFeature, 'idsOfUser'>;
  deletions: JobMaker<UserDeletion>;
}
