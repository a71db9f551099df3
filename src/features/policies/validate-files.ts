import type { PolicyFile, PolicyValidation } from '../../contract/policies.ts';
import type { PoliciesContext } from './policies-context.ts';
import { readFiles } from './read-valid-files.ts';

/**
 * Whether files can be planned, and if not, where their faults are (docs/semantics.md, "Policies").
 *
 * Errors: `invalid_request` and `payload_too_large` for paths and sizes.
 */
export async function validateFiles(
  context: PoliciesContext,
  projectId: string,
  files: readonly PolicyFile[],
): Promise<PolicyValidation> {
  const { errors } = await readFiles(context, projectId, files);
  return { valid: errors.length === 0, errors };
}
