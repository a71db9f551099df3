import { v7 as uuidv7 } from 'uuid';
import { systemActor } from '../../contract/actor.ts';
import { makeApiKey, randomBase62 } from '../../contract/api-key.ts';
import { hashPassword } from '../../platform/crypto/passwords.ts';
import { hashSecret } from '../../platform/crypto/secrets.ts';
import { FirstStartError } from '../../platform/installation/index.ts';
import { isCommonPassword } from './passwords/refuse-common.ts';
import { recordAudits } from '../audit/index.ts';
import { shownPrefix } from './api-keys.ts';
import { nowOf } from './identity-context.ts';
import type { IdentityContext } from './identity-context.ts';

/** The operator's settings for the first start; null: generated, and printed once. */
export interface FirstStartInput {
  adminEmail: string | null;
  adminPassword: string | null;
  apiKey: string | null;
}

export interface FirstStart {
  email: string;
  /** null: the operator set it. */
  generatedPassword: string | null;
  apiKey: string;
  /** Whether the key was generated; a key that the operator set is not printed. */
  apiKeyGenerated: boolean;
  projectId: string;
}

/**
 * On empty storage creates an owner, an organization on the plan `scale` and a project with an API key, in one transaction
 * (docs/semantics.md, "First start"). The caller holds a lock against other replicas.
 *
 * Errors: {@link FirstStartError} for a common password.
 *
 * @returns what to print for the operator; null when a user exists
 */
export async function bootstrap(context: IdentityContext, input: FirstStartInput): Promise<FirstStart | null> {
  const user = await context.db.selectFrom('users').select('id').limit(1).executeTakeFirst();
  if (user) return null;
  const email = input.adminEmail ?? 'admin@localhost.localdomain';
  if (input.adminPassword !== null && (await isCommonPassword(input.adminPassword)))
    throw new FirstStartError('SPANWISE_ADMIN_PASSWORD is among the most common passwords; set another one');
  const password = input.adminPassword ?? randomBase62(20);
  const apiKey = input.apiKey ?? makeApiKey();
  const passwordHash = await hashPassword(password);
  const created_at = nowOf(context);
  const [userId, organizationId, projectId, keyId] = [uuidv7(), uuidv7(), uuidv7(), uuidv7()];
  await context.db.transaction().execute(async (transaction) => {
    await transaction
      .insertInto('users')
      .values({ id: userId, email, name: 'Administrator', password_hash: passwordHash, password_set_by: 'person', created_at })
      .execute();
    await transaction
      .insertInto('organizations')
      .values({ id: organizationId, slug: 'default', name: 'Default', plan: 'scale', created_at })
      .execute();
    await transaction
      .insertInto('memberships')
      .values({ organization_id: organizationId, user_id: userId, role: 'owner', created_at })
      .execute();
    await transaction
      .insertInto('projects')
      .values({ id: projectId, organization_id: organizationId, name: 'Default', slug: 'default', created_at })
      .execute();
    await transaction
      .insertInto('api_keys')
      .values({
        id: keyId,
        project_id: projectId,
        name: 'First key',
        prefix: apiKey.slice(0, shownPrefix),
        secret_sha256: hashSecret(apiKey),
        previous_sha256: null,
        previous_expires_at: null,
        created_at,
        last_used_at: null,
        revoked_at: null,
      })
      .execute();
    const actor = systemActor;
    await recordAudits(transaction, context.clock, [
      { organizationId, projectId: null, kind: 'member.added', actor, subject: userId, detail: { email, role: 'owner' } },
      {
        organizationId,
        projectId,
        kind: 'api_key.created',
        actor,
        subject: keyId,
        detail: { name: 'First key', prefix: apiKey.slice(0, shownPrefix) },
      },
    ]);
  });
  return {
    email,
    generatedPassword: input.adminPassword === null ? password : null,
    apiKey,
    apiKeyGenerated: input.apiKey === null,
    projectId,
  };
}
