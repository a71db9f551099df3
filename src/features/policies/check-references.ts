import { maxGuardrails } from '../../contract/guardrails.ts';
import type { PolicyFault } from '../../contract/policies.ts';
import { echo } from './documents/echo.ts';
import type { MissingReference } from './documents/files-read.ts';
import type { PoliciesContext } from './policies-context.ts';
import type { Database } from '../../platform/postgres/index.ts';

/**
 * The faults of the environments that files name and the project does not have.
 *
 * @param db the database, or the transaction that applies the files
 */
export async function missingEnvironments(
  db: Database,
  projectId: string,
  references: readonly MissingReference[],
): Promise<PolicyFault[]> {
  const named = references.filter(({ kind }) => kind === 'environment');
  if (named.length === 0) return [];
  const rows = await db.selectFrom('environments').select('name').where('project_id', '=', projectId).execute();
  const known = new Set(rows.map(({ name }) => name));
  return faultsOf(
    named,
    known,
    (name) => `There is no environment ${name} in the files or the project. Add a document of kind Environment.`,
  );
}

/** The faults of the model connections that files name and the project does not have. */
export async function missingConnections(
  { hasConnectionNamed }: Pick<PoliciesContext, 'hasConnectionNamed'>,
  projectId: string,
  references: readonly MissingReference[],
): Promise<PolicyFault[]> {
  const named = references.filter(({ kind }) => kind === 'connection');
  const known = new Set<string>();
  // Files with more judges than a project may have guardrails are refused for that.
  for (const name of [...new Set(named.map((reference) => reference.name))].slice(0, maxGuardrails)) {
    if (isStorable(name) && (await hasConnectionNamed(projectId, name))) known.add(name);
  }
  return faultsOf(named, known, (name) => `There is no model connection ${name} in the project. Create it first.`);
}

function faultsOf(
  named: readonly MissingReference[],
  known: ReadonlySet<string>,
  message: (name: string) => string,
): PolicyFault[] {
  return named
    .filter(({ name }) => !known.has(name))
    .map(({ path, line, column, name }) => ({ path, line, column, message: message(echo(name)) }));
}

/** PostgreSQL takes no other text, and no object has such a name. */
function isStorable(name: string): boolean {
  return name.isWellFormed() && !name.includes('\0');
}
