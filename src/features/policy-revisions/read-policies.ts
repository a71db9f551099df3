import type { Selectable } from 'kysely';
import { compareCodePoints } from '../../platform/text/index.ts';
import type { AppliedFile, PolicyTables } from './tables.ts';
import type { Database, Transaction } from '../../platform/postgres/index.ts';

export type EnvironmentRow = Selectable<PolicyTables['environments']>;
export type GuardrailRow = Selectable<PolicyTables['guardrails']>;

/** The policies of a project at its latest revision. */
export interface LatestPolicies {
  /** 0 before the first change. */
  revision: number;
  /** By name, in the order of code points. */
  environments: EnvironmentRow[];
  /** By slug, in the order of code points. */
  guardrails: GuardrailRow[];
  /** The applied files, by path; empty where none were applied. */
  files: AppliedFile[];
}

/**
 * Reads the latest revision of a project's policies with its environments, guardrails and files. All are of the same moment.
 *
 * @param db a database handle, not a transaction
 */
export function readLatest(db: Database, projectId: string): Promise<LatestPolicies> {
  return inSnapshot(db, async (transaction) => {
    const row = await transaction
      .selectFrom('policy_projects')
      .select(['revision', 'files'])
      .where('project_id', '=', projectId)
      .executeTakeFirst();
    return {
      revision: row?.revision ?? 0,
      files: filesOf(row?.files ?? null),
      ...(await readPolicies(transaction, projectId)),
    };
  });
}

/** Runs reads of which all see the same moment. Waits for no change and holds none up. @param db a database handle, not a transaction */
export function inSnapshot<T>(db: Database, read: (transaction: Transaction) => Promise<T>): Promise<T> {
  return db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read);
}

/**
 * Every environment and guardrail of a project, each by name in the order of code points.
 *
 * @param db a transaction that holds the project's lock or a snapshot
 */
export async function readPolicies(
  db: Database,
  projectId: string,
): Promise<{ environments: EnvironmentRow[]; guardrails: GuardrailRow[] }> {
  const environments = await db.selectFrom('environments').selectAll().where('project_id', '=', projectId).execute();
  const guardrails = await db.selectFrom('guardrails').selectAll().where('project_id', '=', projectId).execute();
  return {
    environments: environments.sort((left, right) => compareCodePoints(left.name, right.name)),
    guardrails: guardrails.sort((left, right) => compareCodePoints(left.slug, right.slug)),
  };
}

/** The stored list of applied files; empty where none were. */
export function filesOf(json: string | null): AppliedFile[] {
  return json === null ? [] : (JSON.parse(json) as AppliedFile[]);
}
