import { sql } from 'kysely';
import { maxMentions } from '../../contract/comments.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { Database } from '../../platform/postgres/index.ts';

/** What may stand in an address: everything but spaces, control characters and the marks that end it in prose and Markdown. */
const address = /@([^\s@<>()[\]{},;:"'`|\\]{1,64}@[^\s@<>()[\]{},;:"'`|\\]{1,255})/gu;
/** Marks behind an address that are not of it: the end of a sentence, or emphasis. */
const behind = new Set('.!?*_~-');

/** The addresses that stand in a text behind an `@`, in lower case, each once. Takes time linear in the text. */
export function addressesIn(text: string): string[] {
  const found = new Set<string>();
  for (const [, written = ''] of text.matchAll(address)) {
    let end = written.length;
    while (end > 0 && behind.has(written[end - 1] ?? '')) end--;
    found.add(written.slice(0, end).toLowerCase());
  }
  return [...found];
}

/**
 * The members of a project's organization that a comment mentions by their addresses, oldest membership first.
 *
 * Errors: `invalid_request` for more than {@link maxMentions}.
 */
export async function findMentions(db: Database, organizationId: string, body: string): Promise<string[]> {
  const addresses = addressesIn(body);
  if (addresses.length === 0) return [];
  const { rows } = await sql<{ id: string }>`SELECT u.id FROM memberships m JOIN users u ON u.id = m.user_id
    WHERE m.organization_id = ${organizationId}::uuid AND lower(u.email) = ANY(${addresses}::text[])
    ORDER BY m.created_at, u.id`.execute(db);
  if (rows.length > maxMentions)
    throw new ServiceError('invalid_request', `A comment mentions at most ${maxMentions} people; mention fewer.`, {
      details: [{ path: '/body', message: `must mention at most ${maxMentions} people` }],
    });
  return rows.map(({ id }) => id);
}
