import type { Kysely } from 'kysely';
import type { Role } from '../../contract/permissions.ts';
import type { Plan } from '../../contract/plans.ts';

export interface IdentityTables {
  users: { id: string; email: string; name: string; password_hash: string; created_at: Date };
  organizations: { id: string; slug: string; name: string; plan: Plan; created_at: Date };
  memberships: { organization_id: string; user_id: string; role: Role; created_at: Date };
  projects: { id: string; organization_id: string; name: string; slug: string; created_at: Date };
  api_keys: {
    id: string;
    project_id: string;
    name: string;
    prefix: string;
    secret_sha256: Buffer;
    previous_sha256: Buffer | null;
    previous_expires_at: Date | null;
    created_at: Date;
    last_used_at: Date | null;
    revoked_at: Date | null;
  };
  personal_tokens: {
    id: string;
    user_id: string;
    name: string;
    prefix: string;
    secret_sha256: Buffer;
    created_at: Date;
    last_used_at: Date | null;
  };
  sessions: { id: string; user_id: string; secret_sha256: Buffer; created_at: Date; expires_at: Date };
  login_failures: { id: string; account: string; address: string; failed_at: Date };
}

export type IdentityDb = Kysely<IdentityTables>;
