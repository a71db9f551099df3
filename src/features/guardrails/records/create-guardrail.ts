import type { Acting } from '../../../contract/actor.ts';
import { ServiceError } from '../../../contract/errors.ts';
import type { GuardrailBody, GuardrailRecord } from '../../../contract/guardrails.ts';
import { changePolicies, writePolicy } from '../../policy-revisions/index.ts';
import type { LockedPolicies } from '../../policy-revisions/index.ts';
import type { GuardrailsContext } from '../guardrails-context.ts';
import { checkEnvironments, checkSpecification } from './check-specification.ts';
import { findGuardrail, recordOf } from './guardrail-record.ts';
import { refuseTooMany } from './limits.ts';
import { recordGuardrail } from './record-guardrail.ts';
import { specificationOfBody } from './specification.ts';

const managed = { managedBy: 'dashboard', detached: false, path: null } as const;
const created = { create: 1, update: 0, remove: 0 };

/**
 * Creates a guardrail (docs/semantics.md, "Guardrails").
 *
 * Errors: `invalid_request` for its configuration, action or environments; `conflict` when the slug is taken or the project has reached its maximum.
 */
export async function createGuardrail(context: GuardrailsContext, acting: Acting, body: GuardrailBody): Promise<GuardrailRecord> {
  const { projectId } = acting;
  const { slug } = body;
  const spec = specificationOfBody(body);
  const compiledSize = await checkSpecification(context, projectId, spec);
  return changePolicies(context, acting, 'dashboard', async (locked) => {
    await checkEnvironments(locked.transaction, projectId, spec);
    await refuseTaken(locked, projectId, slug);
    await refuseTooMany(locked.transaction, projectId, slug, spec, compiledSize);
    const id = await writePolicy(locked, projectId, { kind: 'Guardrail', name: slug, spec, compiledSize }, managed);
    const row = await findGuardrail(locked.transaction, projectId, id);
    const auditLogId = await recordGuardrail(locked, context.clock, acting, 'guardrail.created', row);
    return { result: recordOf(row), recorded: { summary: created, auditLogId } };
  });
}

async function refuseTaken({ transaction }: LockedPolicies, projectId: string, slug: string): Promise<void> {
  const taken = await transaction
    .selectFrom('guardrails')
    .select('id')
    .where('project_id', '=', projectId)
    .where('slug', '=', slug)
    .executeTakeFirst();
  if (!taken) return;
  throw new ServiceError('conflict', `This project has a guardrail with the slug ${slug} already; choose another one.`, {
    details: [{ path: '/slug', message: 'is taken' }],
  });
}
