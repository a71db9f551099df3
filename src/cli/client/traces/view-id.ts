import { isUuid } from '../../../contract/uuid.ts';
import type { ViewRecord, ViewSubject } from '../../../contract/views.ts';
import { Misuse } from '../service/refusal.ts';
import type { ProjectClient } from '../service/find-service.ts';

/**
 * The id of the saved view of a list that an option names by its id or its name. An own private view comes before one of the project of the same name.
 *
 * Errors: {@link Misuse} for a name that no view has; those of the client.
 */
export async function viewIdOf(
  named: string,
  on: ViewSubject,
  { client, path }: Pick<ProjectClient, 'client' | 'path'>,
): Promise<string> {
  if (isUuid(named)) return named;
  const found: ViewRecord[] = [];
  let cursor: string | null = null;
  do {
    const query = new URLSearchParams({ on, limit: '200', ...(cursor === null ? {} : { cursor }) });
    const page: { views: ViewRecord[]; nextCursor: string | null } = await client.json('GET', path(`/views?${query}`));
    found.push(...page.views.filter(({ name }) => name === named));
    cursor = page.nextCursor;
  } while (cursor !== null);
  const [view] = [...found.filter(({ visibility }) => visibility === 'private'), ...found];
  if (view) return view.id;
  throw new Misuse(
    `there is no saved view of ${on} named ${JSON.stringify(named)} that this key or token can read; private views take a token`,
  );
}
