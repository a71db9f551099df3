import type { PromptType } from '../../contract/prompts.ts';

export interface PromptTables {
  prompt_families: {
    id: string;
    project_id: string;
    name: string;
    search_name: string;
    tags: string[];
    folder: string | null;
    last_version: number;
    /** The version that `latest` is on: the newest one that is no proposal. */
    latest_version: number;
    created_at: Date;
  };
  prompt_versions: {
    id: string;
    family_id: string;
    version: number;
    type: PromptType;
    prompt: string;
    config: string;
    commit_message: string;
    created_by: string;
    /** A fix proposal that no person has labelled yet. */
    proposal: boolean;
    created_at: Date;
    updated_at: Date;
  };
  prompt_labels: { family_id: string; label: string; version_id: string };
  prompt_references: { version_id: string; family_id: string };
}

declare module '../../platform/postgres/tables.ts' {
  interface Tables extends PromptTables {}
}
