import type { Acting } from '../../contract/actor.ts';
import { maxEnvironments } from '../../contract/environments.ts';
import type { EnvironmentBody, EnvironmentRecord } from '../../contract/environments.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { Tenant } from '../../platform/http/index.ts';
import { changePolicies, writePolicy } from '../policy-revisions/index.ts';
import type { LockedPolicies } from '../policy-revisions/index.ts';
import { recordOf } from './environment-record.ts';
import type { EnvironmentsContext } from './environments-context.ts';
import { findEnvironment } from './find-environment.ts';
import { lastSeen } from './last-seen.ts';
import { recordEnvironment } from './record-environment.ts';

const managed = { managedBy: 'dashboard', detached: false, path: null } as const;
const created = { create: 1, update: 0, remove: 0 };

/**
 * Creates an environment (docs/semantics.md, "Environments").
 *
 * Errors: `conflict` when the name is taken or the project has reached its maximum.
 */
export async function createEnvironment(
  context: EnvironmentsContext,
  tenant: Tenant,
  acting: Acting,
  { name, description }: EnvironmentBody,
): Promise<EnvironmentRecord> {
  const { projectId } = tenant;
  // Before the change: when ClickHouse cannot be read, nothing is created.
  const seen = await lastSeen(context, tenant, [name]);
  const row = await changePolicies(context, acting, 'dashboard', async (locked) => {
    await refuseTakenOrFull(locked, projectId, name);
    const id = await writePolicy(locked, projectId, { kind: 'Environment', name, spec: { description } }, managed);
    const result = await findEnvironment(locked.transaction, projectId, id);
    const auditLogId = await recordEnvironment(locked, context.clock, acting, 'environment.created', result);
    return { result, recorded: { summary: created, auditLogId } };
  });
  // Nothing names an environment that did not exist.
  return recordOf(row, undefined, seen.get(name) ?? null);
}

async function refuseTakenOrFull({ transaction }: LockedPolicies, projectId: string, name: string): Promise<void> {
  const own = transaction.selectFrom('environments').where('project_id', '=', projectId);
  if (await own.select('id').where('name', '=', name).executeTakeFirst()) {
    throw new ServiceError('conflict', `This project has an environment named ${name} already; choose another name.`, {
      details: [{ path: '/name', message: 'is taken' }],
    });
  }
  const { count } = await own.select((select) => select.fn.countAll<number>().as('count')).executeTakeFirstOrThrow();
  if (count < maxEnvironments) return;
  throw new ServiceError(
    'conflict',
    `A project has at most ${maxEnvironments} environments; delete one that is not needed any more.`,
  );
}
