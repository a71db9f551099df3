import { sql } from 'kysely';
import type { PromptType, PromptVersion } from '../../contract/prompts.ts';
import { latestLabel } from '../../contract/prompts.ts';
import { compareCodePoints } from '../../platform/text/index.ts';
import type { ResolvedPrompt } from './resolve-prompt.ts';
import { selectedVersion } from './source-reader.ts';
import type { Database } from '../../platform/postgres/index.ts';

/** A row of a version with the fields of its family. */
export interface VersionRow {
  id: string;
  familyId: string;
  projectId: string;
  name: string;
  version: number;
  type: PromptType;
  prompt: string;
  config: string;
  commitMessage: string;
  createdBy: string;
  createdAt: Date;
  updatedAt: Date;
  tags: string[];
  folder: string | null;
  proposal: boolean;
  latestVersion: number;
  labels: string[];
}

/** The selected version; null when there is none. */
export async function findVersion(
  db: Database,
  projectId: string,
  { name, version, label }: { name: string; version: number | null; label: string | null },
): Promise<VersionRow | null> {
  const selected = selectedVersion(sql`${version}::integer`, sql`${label}::text`);
  const row = await versions(db)
    .where('f.project_id', '=', projectId)
    .where('f.name', '=', name)
    .where('v.version', '=', selected)
    .executeTakeFirst();
  return row ?? null;
}

/** Versions by id, in the given order. */
export async function readVersions(db: Database, ids: readonly string[]): Promise<VersionRow[]> {
  if (ids.length === 0) return [];
  const rows = await versions(db)
    .where(sql<boolean>`v.id = ANY(${[...ids]}::uuid[])`)
    .execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

function versions(db: Database) {
  return db
    .selectFrom('prompt_versions as v')
    .innerJoin('prompt_families as f', 'f.id', 'v.family_id')
    .select([
      'v.id',
      'f.id as familyId',
      'f.project_id as projectId',
      'f.name',
      'v.version',
      'v.type',
      'v.prompt',
      'v.config',
      'v.commit_message as commitMessage',
      'v.created_by as createdBy',
      'v.created_at as createdAt',
      'v.updated_at as updatedAt',
      'f.tags',
      'f.folder',
      'v.proposal',
      'f.latest_version as latestVersion',
      sql<string[]>`ARRAY(SELECT l.label FROM prompt_labels l WHERE l.version_id = v.id)`.as('labels'),
    ]);
}

/** A version in its wire format (docs/semantics.md, "Prompt versions"). */
export function versionRecord(row: VersionRow, resolvedPrompt: ResolvedPrompt | null, resolutionError?: string): PromptVersion {
  const { familyId: _, latestVersion, proposal, config, createdAt, updatedAt, labels, ...rest } = row;
  const all = row.version === latestVersion ? [...labels, latestLabel] : labels;
  return {
    ...rest,
    config: JSON.parse(config) as Record<string, unknown>,
    labels: all.toSorted(compareCodePoints),
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    resolvedPrompt,
    ...(proposal ? { proposal } : {}),
    ...(resolutionError === undefined ? {} : { resolutionError }),
  };
}
