import { maxGuardrails } from '../../contract/guardrails.ts';
import type { PolicyFault } from '../../contract/policies.ts';
import type { PoliciesDb } from '../policy-revisions/index.ts';
import type { MissingReference } from './documents/read-files.ts';
import { echo } from './documents/echo.ts';
import type { PoliciesContext } from './policies-context.ts';

/**
 * The faults of what files name: environments and model connections that the project does not have.
 *
 * @param db any database handle, or the transaction that applies the files
 */
export async function checkReferences(
  { hasConnectionNamed }: Pick<PoliciesContext, 'hasConnectionNamed'>,
  db: PoliciesDb,
  projectId: string,
  references: readonly MissingReference[],
): Promise<PolicyFault[]> {
  const named = (kind: MissingReference['kind']) => [
    ...new Set(references.filter((reference) => reference.kind === kind && isStorable(reference.name)).map(({ name }) => name)),
  ];
  const environments = new Set(await environmentsOf(db, projectId, named('environment')));
  const connections = new Set<string>();
  // Files with more judges than a project may have guardrails are refused for that.
  for (const name of named('connection').slice(0, maxGuardrails)) {
    if (await hasConnectionNamed(projectId, name)) connections.add(name);
  }
  return references.flatMap(({ kind, name, path, line, column }) => {
    if ((kind === 'environment' ? environments : connections).has(name)) return [];
    const message =
      kind === 'environment'
        ? `There is no environment ${echo(name)} in the files or the project. Add a document of kind Environment.`
        : `There is no model connection ${echo(name)} in the project. Create it first.`;
    return [{ path, line, column, message }];
  });
}

async function environmentsOf(db: PoliciesDb, projectId: string, names: readonly string[]): Promise<string[]> {
  if (names.length === 0) return [];
  const rows = await db.selectFrom('environments').select('name').where('project_id', '=', projectId).execute();
  const wanted = new Set(names);
  return rows.map(({ name }) => name).filter((name) => wanted.has(name));
}

/** PostgreSQL takes no other text, and no object has such a name. */
function isStorable(name: string): boolean {
  return name.isWellFormed() && !name.includes('\0');
}
