import { ServiceError } from '../../../contract/errors.ts';
import type { StoredVersion } from '../../prompts/index.ts';
import type { FixProposalsContext } from './fix-proposals-context.ts';
import type { PromptUsage } from './prompt-usage.ts';

/** Prompts and versions that are looked up, of those that spans name. */
const maxLookups = 20;

/**
 * The version to be revised: of the named prompt, else of the stored prompt that most spans name; the version that most of its spans name, else
 * production, else latest (docs/semantics.md, "Fix proposals").
 *
 * Errors: `invalid_request` for an unknown name; `no_prompt` when the traces name no stored prompt.
 */
export async function chosenPrompt(
  { prompts }: Pick<FixProposalsContext, 'prompts'>,
  projectId: string,
  usage: PromptUsage,
  promptName: string | undefined,
): Promise<StoredVersion> {
  for (const name of promptName === undefined ? usage.names.slice(0, maxLookups) : [promptName]) {
    const current = await prompts.findVersion(projectId, name, null);
    if (!current) continue;
    for (const version of usage.versionsOf(name).slice(0, maxLookups)) {
      const used = await prompts.findVersion(projectId, name, version);
      if (used) return used;
    }
    return current;
  }
  if (promptName === undefined)
    throw new ServiceError('no_prompt', "The incident's traces name no prompt of this project; name one in promptName.");
  throw new ServiceError('invalid_request', 'The project has no prompt of this name; name one that it has.', {
    details: [{ path: '/promptName', message: 'is not the name of a prompt' }],
  });
}
