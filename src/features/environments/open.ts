import type { EnvironmentAttachments } from '../../contract/environments.ts';
import type { Feature, Platform } from '../../platform/feature/index.ts';
import type { AttachmentReaders, EnvironmentsContext } from './environments-context.ts';
import { readAttachments } from './read-attachments.ts';
import { environmentRoutes } from './routes.ts';
import type { Database } from '../../platform/postgres/index.ts';

export interface EnvironmentsPorts {
  attachmentReaders: AttachmentReaders;
}

export interface EnvironmentsFeature extends Feature {
  context: EnvironmentsContext;
  /**
   * The guardrails, alert rules and incidents that name each of some environments, each list sorted.
   *
   * @param db the database, or the transaction that removes environments
   */
  attachedTo(db: Database, projectId: string, names: readonly string[]): Promise<ReadonlyMap<string, EnvironmentAttachments>>;
}

/** Opens the feature: environments, and the records that name them. */
export function open(
  { postgres, clickhouse, clock }: Pick<Platform, 'postgres' | 'clickhouse' | 'clock'>,
  { attachmentReaders }: EnvironmentsPorts,
): EnvironmentsFeature {
  const db = postgres.db;
  const context: EnvironmentsContext = { db, changeFeed: postgres.changeFeed, clickhouse, clock, attachmentReaders };
  return {
    context,
    attachedTo: (handle, projectId, names) => readAttachments(attachmentReaders, handle, projectId, names),
    routes: (server) => environmentRoutes(server, context),
  };
}
