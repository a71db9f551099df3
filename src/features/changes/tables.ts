import type { ChangeKind } from '../../contract/kinds.ts';

interface ChangeColumns {
  id: string;
  project_id: string;
  at: Date;
  kind: ChangeKind;
  service: string | null;
  version: string | null;
  commit_sha: string | null;
  environment: string | null;
  actor: string | null;
  url: string | null;
  description: string | null;
  /** JSON object. */
  metadata: string;
  created_at: Date;
}

export interface ChangeTables {
  changes: ChangeColumns & { idempotency_key: string | null };
  /** A view: reported changes, and audit entries that are changes. */
  project_changes: ChangeColumns & {
    /** The kind of the audit entry; null for a reported change. */
    audit_kind: string | null;
  };
}

declare module '../../platform/postgres/tables.ts' {
  interface Tables extends ChangeTables {}
}
