import { v7 as uuidv7 } from 'uuid';
import { ServiceError } from '../../contract/errors.ts';
import { changePrompts } from './change-prompts.ts';
import { linkReferences } from './create-version.ts';
import type { PromptsContext } from './prompts-context.ts';
import { storedPrompt } from './stored-prompt.ts';
import type { Transaction } from '../../platform/postgres/index.ts';

/** A new version that a model proposes. */
export interface Proposal {
  /** The id of the version that it revises. */
  baseId: string;
  /** A text, or the messages of a chat prompt; of the base's type. */
  prompt: string | readonly unknown[];
  commitMessage: string;
  /** The email of the user who asked for it. */
  createdBy: string;
}

/**
 * Adds a proposal to the prompt of its base, with the base's type and configuration. It has no label, and `latest` passes it by until a person
 * labels it (docs/semantics.md, "Fix proposals").
 *
 * @param last runs at the end of the transaction with the new version's number; an error undoes the version
 * @returns the number of the new version
 * Errors: `not_found` when the base was deleted; `invalid_request` as {@link createVersion}.
 */
export function createProposal(
  context: Pick<PromptsContext, 'changeFeed' | 'clock'>,
  projectId: string,
  { baseId, prompt, commitMessage, createdBy }: Proposal,
  last: (transaction: Transaction, version: number) => Promise<void>,
): Promise<number> {
  const now = new Date(context.clock.now());
  return changePrompts(context, projectId, async (transaction) => {
    const base = await transaction
      .selectFrom('prompt_versions as v')
      .innerJoin('prompt_families as f', 'f.id', 'v.family_id')
      .select(['v.type', 'v.config', 'f.id', 'f.last_version'])
      .where('f.project_id', '=', projectId)
      .where('v.id', '=', baseId)
      .executeTakeFirst();
    if (!base) throw new ServiceError('not_found', 'The prompt was deleted; choose another one.');
    const version = base.last_version + 1;
    const id = uuidv7();
    await transaction.updateTable('prompt_families').set({ last_version: version }).where('id', '=', base.id).execute();
    await transaction
      .insertInto('prompt_versions')
      .values({
        id,
        family_id: base.id,
        version,
        type: base.type,
        prompt: storedPrompt(base.type, prompt),
        config: base.config,
        commit_message: commitMessage,
        created_by: createdBy,
        proposal: true,
        created_at: now,
        updated_at: now,
      })
      .execute();
    await linkReferences(transaction, projectId, id);
    await last(transaction, version);
    return version;
  });
}
