import { v7 as uuidv7 } from 'uuid';
import { ServiceError } from '../../contract/errors.ts';
import type { PromptBody, PromptVersion } from '../../contract/prompts.ts';
import { actorName } from '../../contract/actor.ts';
import type { Actor } from '../../contract/actor.ts';
import type { Tenant } from '../../platform/http/index.ts';
import { changePrompts } from './change-prompts.ts';
import { findFamily, touchVersions } from './family-store.ts';
import type { PromptsContext } from './prompts-context.ts';
import { PromptResolver, ResolutionError } from './resolve-prompt.ts';
import type { ResolvedPrompt, Source } from './resolve-prompt.ts';
import { recordMovedLabels, setLabels } from './set-labels.ts';
import { sourceReader } from './source-reader.ts';
import { storedPrompt } from './stored-prompt.ts';
import { readVersions, versionRecord } from './version-store.ts';
import type { VersionRow } from './version-store.ts';
import type { Database, Transaction } from '../../platform/postgres/index.ts';

/**
 * Adds a version to a prompt, and creates the prompt if there is none (docs/semantics.md, "Prompt versions").
 *
 * Errors: `invalid_request` for a prompt that does not match its type or whose references cannot be resolved.
 */
export function createVersion(
  context: PromptsContext,
  { tenant, actor }: { tenant: Tenant; actor: Actor },
  body: PromptBody,
): Promise<PromptVersion> {
  const prompt = storedPrompt(body.type, body.prompt);
  const now = new Date(context.clock.now());
  return changePrompts(context, tenant.projectId, async (transaction) => {
    const family = await nextOfFamily(transaction, tenant.projectId, body, now);
    const id = uuidv7();
    await transaction
      .insertInto('prompt_versions')
      .values({
        id,
        family_id: family.id,
        version: family.version,
        type: body.type,
        prompt,
        config: JSON.stringify(body.config),
        commit_message: body.commitMessage,
        created_by: actorName(actor),
        proposal: false,
        created_at: now,
        updated_at: now,
      })
      .execute();
    const moved = await setLabels(transaction, family, { id, version: family.version }, body.labels, now);
    const { row, resolved } = await linkReferences(transaction, tenant.projectId, id);
    const taken = moved.filter(({ from }) => from !== null);
    await recordMovedLabels(transaction, context.clock, { tenant, actor, name: body.name, moved: taken });
    return versionRecord(row, resolved);
  });
}

/**
 * Resolves a version that was just inserted, and records which prompts it refers to.
 *
 * Errors: `invalid_request` when its references cannot be resolved.
 */
export async function linkReferences(
  transaction: Transaction,
  projectId: string,
  id: string,
): Promise<{ row: VersionRow; resolved: ResolvedPrompt }> {
  const [row] = await readVersions(transaction, [id]);
  if (!row) throw new Error('a version is not there after it was made');
  const { resolved, familyIds } = await resolveOrRefuse(transaction, projectId, row, '/prompt');
  const references = familyIds.map((familyId) => ({ version_id: id, family_id: familyId }));
  if (references.length > 0) await transaction.insertInto('prompt_references').values(references).execute();
  return { row, resolved };
}

/**
 * Checks that a version that was just written or labelled can be resolved. A cycle that a change creates passes through the version that
 * becomes current, so checking this one rejects every cycle.
 *
 * Errors: `invalid_request` about the field at `path`.
 */
export async function resolveOrRefuse(db: Database, projectId: string, source: Source, path: string) {
  try {
    return await new PromptResolver(sourceReader(db, projectId)).resolve(source);
  } catch (error) {
    if (!(error instanceof ResolutionError)) throw error;
    throw new ServiceError('invalid_request', error.message, { details: [{ path, message: error.message }] });
  }
}

/** The family with its next version number. Tags and folder, when given, replace those of the whole family. */
async function nextOfFamily(
  transaction: Transaction,
  projectId: string,
  { name, tags, folder }: PromptBody,
  now: Date,
): Promise<{ id: string; version: number }> {
  const known = await findFamily(transaction, projectId, name);
  if (!known) {
    const family = {
      id: uuidv7(),
      project_id: projectId,
      name,
      search_name: name.toLowerCase(),
      tags: tags ?? [],
      folder: folder ?? null,
      last_version: 1,
      latest_version: 1,
      created_at: now,
    };
    await transaction.insertInto('prompt_families').values(family).execute();
    return { id: family.id, version: 1 };
  }
  const version = known.last_version + 1;
  const shared = { ...(tags === undefined ? {} : { tags }), ...(folder === undefined ? {} : { folder }) };
  await transaction
    .updateTable('prompt_families')
    .set({ last_version: version, latest_version: version, ...shared })
    .where('id', '=', known.id)
    .execute();
  if (Object.keys(shared).length > 0) await touchVersions(transaction, known.id, now);
  return { id: known.id, version };
}
