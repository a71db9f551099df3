import { sql } from 'kysely';
import { byRunningOrder } from '../../../../packages/guardrails/src/index.ts';
import type { Guardrail } from '../../../../packages/guardrails/src/index.ts';
import type { Database } from '../../../platform/postgres/index.ts';

/** The guardrails of a project at a revision. */
export interface ProjectPolicies {
  projectId: string;
  /** 0 before the first change. */
  revision: number;
  /** Enabled or not, by priority, then by slug. */
  guardrails: readonly (Guardrail & { name: string })[];
  /** Names of the environments that have a record. */
  environments: ReadonlySet<string>;
  /** Characters of all configurations as JSON. */
  configLength: number;
  /** States of all compiled guardrails. */
  compiledSize: number;
}

/** The revision of a project's policies; 0 before the first change. */
export async function readRevision(db: Database, projectId: string): Promise<number> {
  const row = await db.selectFrom('policy_projects').select('revision').where('project_id', '=', projectId).executeTakeFirst();
  return row?.revision ?? 0;
}

/** Reads the guardrails and environments of a project with their revision, in one statement: all are of the same moment. */
export async function readProjectPolicies(db: Database, projectId: string): Promise<ProjectPolicies> {
  const rows = await db
    .selectFrom('policy_projects')
    .leftJoin('guardrails', 'guardrails.project_id', 'policy_projects.project_id')
    .select([
      'policy_projects.revision',
      sql<string[]>`array(SELECT name FROM environments WHERE environments.project_id = policy_projects.project_id)`.as('names'),
      'guardrails.slug',
      'guardrails.name',
      'guardrails.type',
      'guardrails.stage',
      'guardrails.action',
      'guardrails.config',
      'guardrails.environments',
      'guardrails.priority',
      'guardrails.enabled',
      'guardrails.on_error',
      'guardrails.compiled_size',
    ])
    .where('policy_projects.project_id', '=', projectId)
    .execute();
  const guardrails = rows.flatMap((row): ProjectPolicies['guardrails'] => {
    const { slug, name, type, stage, action, config, environments, priority, enabled, on_error: onError } = row;
    if (slug === null || name === null || type === null || stage === null || action === null) return [];
    if (config === null || priority === null || enabled === null || onError === null) return [];
    const parsed = JSON.parse(config) as unknown;
    return [{ slug, name, type, stage, action, config: parsed, environments, priority, enabled, onError }];
  });
  return {
    projectId,
    revision: rows[0]?.revision ?? 0,
    guardrails: guardrails.sort(byRunningOrder),
    environments: new Set(rows[0]?.names),
    configLength: rows.reduce((sum, { config }) => sum + (config?.length ?? 0), 0),
    compiledSize: rows.reduce((sum, { compiled_size: size }) => sum + (size ?? 0), 0),
  };
}
