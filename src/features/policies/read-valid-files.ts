import { ServiceError } from '../../contract/errors.ts';
import type { PolicyFault, PolicyFile } from '../../contract/policies.ts';
import { missingConnections, missingEnvironments } from './check-references.ts';
import { checkFiles } from './documents/file-limits.ts';
import { firstFaults } from './documents/files-read.ts';
import type { FilePolicy } from './documents/files-read.ts';
import type { PoliciesContext } from './policies-context.ts';

type Reading = Pick<PoliciesContext, 'db' | 'reader' | 'hasConnectionNamed'>;

/**
 * Reads files as the policies of a project, with the first 100 errors.
 *
 * Errors: `invalid_request` and `payload_too_large` for paths and sizes.
 */
export async function readFiles(
  context: Reading,
  projectId: string,
  files: readonly PolicyFile[],
): Promise<{ policies: FilePolicy[]; errors: PolicyFault[] }> {
  checkFiles(files);
  const { policies, faults, references } = await context.reader.read(projectId, files);
  const environments = await missingEnvironments(context.db, projectId, references);
  const connections = await missingConnections(context, projectId, references);
  return { policies, errors: firstFaults([...faults, ...environments, ...connections]) };
}

/** As {@link readFiles}, for files that must be valid. Errors: `invalid_policy` with `errors`. */
export async function readValidFiles(context: Reading, projectId: string, files: readonly PolicyFile[]): Promise<FilePolicy[]> {
  const { policies, errors } = await readFiles(context, projectId, files);
  refuseFaults(errors);
  return policies;
}

/** Throws `invalid_policy` if there are errors. */
export function refuseFaults(errors: readonly PolicyFault[]): void {
  const [first] = errors;
  if (!first) return;
  const message = `Correct the policy files: ${first.path}:${first.line}:${first.column}: ${first.message}`;
  throw new ServiceError('invalid_policy', message, { extra: { errors } });
}
