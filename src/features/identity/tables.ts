import type { Generated } from 'kysely';
import type { ApiKeyScope } from '../../contract/key-scopes.ts';
import type { Role } from '../../contract/permissions.ts';
import type { Plan } from '../../contract/plans.ts';

/** A link that is handed over or mailed. */
interface LinkColumns {
  token_sha256: Buffer | null;
  created_at: Date;
  expires_at: Date;
  mail_due_at: Date | null;
  mail_attempts: Generated<number>;
}

/** Who chose the password of an account; `link`: whoever had the link of an invitation that was shown to the inviter. */
export type PasswordSetBy = 'person' | 'link' | 'operator' | 'organization';

export interface IdentityTables {
  users: {
    id: string;
    email: string;
    name: string;
    password_hash: string;
    password_set_by: PasswordSetBy;
    created_at: Date;
  };
  organizations: { id: string; slug: string; name: string; plan: Plan; shared_links: Generated<boolean>; created_at: Date };
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
    scopes: Generated<ApiKeyScope[] | null>;
    scopes_since: Generated<Date | null>;
    expires_at: Generated<Date | null>;
  };
  api_key_scope_uses: { key_id: string; scope: ApiKeyScope; last_used_at: Date };
  personal_tokens: {
    id: string;
    user_id: string;
    name: string;
    prefix: string;
    secret_sha256: Buffer;
    created_at: Date;
    expires_at: Date | null;
    last_used_at: Date | null;
  };
  invitations: LinkColumns & {
    id: string;
    organization_id: string;
    email: string;
    name: string | null;
    role: Role;
    invited_by: string | null;
  };
  password_resets: LinkColumns & { id: string; account: string };
  sessions: { id: string; user_id: string; secret_sha256: Buffer; created_at: Date; expires_at: Date };
  sign_in_failures: { account: string; address: string; failed_at: number[] };
  /** Of the previous release. */
  login_failures: { id: string; account: string; address: string; failed_at: Date };
}

declare module '../../platform/postgres/tables.ts' {
  interface Tables extends IdentityTables {}
}
