import type { Generated } from 'kysely';
import type { Manager } from '../../contract/environments.ts';
import type { GuardrailTypeName } from '../../contract/guardrails.ts';

interface Managed {
  id: string;
  project_id: string;
  managed_by: Manager;
  /** Code managed it until it was detached. */
  detached: boolean;
  /** The applied file that it stands in; null for the dashboard's own. */
  path: string | null;
  /** It was attached although it differs from its file, and no files were applied since. */
  differs: Generated<boolean>;
  updated_by: string;
  created_at: Date;
  updated_at: Date;
}

export interface PolicyTables {
  environments: Managed & { name: string; description: string };
  guardrails: Managed & {
    slug: string;
    name: string;
    type: GuardrailTypeName;
    stage: 'input' | 'output' | 'both';
    action: 'block' | 'redact' | 'flag';
    /** JSON. */
    config: string;
    environments: string[] | null;
    priority: number;
    enabled: boolean;
    on_error: 'allow' | 'block';
    /** States of the compiled configuration. */
    compiled_size: Generated<number>;
    /** JSON of what the judge asked when files were applied, `{baseUrl, model}`, where that has changed since. */
    judged_by: Generated<string | null>;
  };
  policy_projects: {
    project_id: string;
    revision: Generated<number>;
    /** JSON: {@link AppliedFile}s by path; null until files are applied. */
    files: string | null;
    applied_at: Date | null;
    applied_by: string | null;
    applied_revision: number | null;
  };
  policy_revisions: {
    project_id: string;
    revision: number;
    at: Date;
    by: string;
    source: 'code' | 'dashboard';
    /** JSON. */
    summary: string;
    audit_log_id: string;
    /** JSON: {@link RecordedPolicy}s. */
    policies: string;
    files: string | null;
  };
  policy_contents: { project_id: string; sha256: string; content: string };
  policy_plans: { id: string; project_id: string; revision: number; files_sha256: string; created_at: Date; expires_at: Date };
}

declare module '../../platform/postgres/tables.ts' {
  interface Tables extends PolicyTables {}
}

/** A file as it was applied; `policy_contents` has its text. */
export interface AppliedFile {
  path: string;
  /** Of its UTF-8, hexadecimal. */
  sha256: string;
}
