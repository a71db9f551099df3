import { sql } from 'kysely';
import type { z } from 'zod';
import type { organizationPolicies, PolicyKind } from '../../../contract/policies.ts';
import { compareCodePoints } from '../../../platform/text/index.ts';
import { inSnapshot } from '../../policy-revisions/index.ts';
import type { PoliciesContext } from '../policies-context.ts';
import type { Database } from '../../../platform/postgres/index.ts';

type Rollup = z.output<typeof organizationPolicies>;
type Drift = Pick<Rollup['projects'][number], 'drift' | 'unmanaged'>;

/** Projects, and entries of drift, in one answer. */
const maxProjects = 1_000;
const maxDrift = 10_000;

/**
 * The policies of every project of an organization, by name of the project: how many there are, what code does not manage where files were applied, and
 * the last apply. With more than 1,000 projects or 10,000 entries of drift the answer has the oldest projects and the first entries, and is `truncated`.
 */
export async function rollUpPolicies(
  { db, projectsOf }: Pick<PoliciesContext, 'db' | 'projectsOf'>,
  organizationId: string,
): Promise<Rollup> {
  const found = await projectsOf(organizationId, maxProjects + 1);
  const projects = found.slice(0, maxProjects);
  if (projects.length === 0) return { projects: [] };
  const ids = projects.map(({ id }) => id);
  const { state, environments, guardrails, drift } = await inSnapshot(db, async (transaction) => {
    const states = await transaction.selectFrom('policy_projects').selectAll().where('project_id', 'in', ids).execute();
    const applying = states.filter(({ applied_at: at }) => at !== null).map((row) => row.project_id);
    return {
      state: new Map(states.map((row) => [row.project_id, row])),
      environments: await countsOf(transaction, 'environments', ids),
      guardrails: await countsOf(transaction, 'guardrails', ids),
      drift: await driftOf(transaction, applying),
    };
  });
  const truncated = found.length > maxProjects || drift.truncated;
  return {
    projects: projects
      .toSorted((left, right) => compareCodePoints(left.name, right.name) || compareCodePoints(left.id, right.id))
      .map(({ id, name, slug }) => {
        const { revision = 0, applied_at: at, applied_by: by, applied_revision: applied } = state.get(id) ?? {};
        return {
          projectId: id,
          name,
          slug,
          revision,
          counts: { guardrails: guardrails.get(id) ?? 0, environments: environments.get(id) ?? 0 },
          ...(drift.byProject.get(id) ?? { drift: [], unmanaged: [] }),
          lastApply: at ? { at: at.toISOString(), by: by ?? '', revision: applied ?? 0 } : null,
        };
      }),
    ...(truncated && { truncated }),
  };
}

async function countsOf(
  db: Database,
  table: 'environments' | 'guardrails',
  projectIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom(table)
    .select(['project_id', sql<number>`count(*)::integer`.as('count')])
    .where('project_id', 'in', [...projectIds])
    .groupBy('project_id')
    .execute();
  return new Map(rows.map((row) => [row.project_id, row.count]));
}

/** What differs from its file, is detached from it, or has never been in one, by kind and name. */
async function driftOf(
  db: Database,
  projectIds: readonly string[],
): Promise<{ byProject: ReadonlyMap<string, Drift>; truncated: boolean }> {
  const byProject = new Map<string, Drift>();
  if (projectIds.length === 0) return { byProject, truncated: false };
  const drifting = (kind: PolicyKind, table: 'environments' | 'guardrails', name: 'name' | 'slug') =>
    db
      .selectFrom(table)
      .select([
        'project_id',
        sql<string>`${sql.ref(name)}`.as('name'),
        sql<PolicyKind>`${kind}::text`.as('kind'),
        'detached',
        'managed_by',
      ])
      .where('project_id', 'in', [...projectIds])
      .where(
        kind === 'Guardrail'
          ? sql<boolean>`(managed_by = 'dashboard' OR differs OR judged_by IS NOT NULL)`
          : sql<boolean>`(managed_by = 'dashboard' OR differs)`,
      )
      .orderBy(sql.ref(name), 'asc')
      .limit(maxDrift + 1)
      .execute();
  const rows = [
    ...(await drifting('Environment', 'environments', 'name')),
    ...(await drifting('Guardrail', 'guardrails', 'slug')),
  ];
  const order = (left: (typeof rows)[number], right: (typeof rows)[number]) =>
    compareCodePoints(left.kind, right.kind) || compareCodePoints(left.name, right.name);
  for (const { project_id: projectId, kind, name, detached, managed_by: manager } of rows.toSorted(order).slice(0, maxDrift)) {
    const known = byProject.get(projectId) ?? { drift: [], unmanaged: [] };
    if (manager === 'code') known.drift.push({ kind, name, reason: 'differs' });
    else if (detached) known.drift.push({ kind, name, reason: 'detached' });
    else known.unmanaged.push({ kind, name });
    byProject.set(projectId, known);
  }
  return { byProject, truncated: rows.length > maxDrift };
}
