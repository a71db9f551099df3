import { randomBase62 } from '../../contract/api-key.ts';
import { isUuid } from '../../contract/uuid.ts';
import { isUniqueViolation } from '../../platform/postgres/index.ts';

const longest = 48;
const maxTries = 5;

/** A short form of a name for URLs: lower-case letters, digits and single hyphens. */
export function slugOf(name: string): string {
  const ascii = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  const slug = ascii
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, longest);
  if (slug === '') return 'untitled';
  // Paths accept a slug or an id, so a slug must not have the form of an id.
  return isUuid(slug) ? `named-${slug}` : slug;
}

/**
 * Inserts a row under the slug of its name, with a random suffix when the slug is taken. The unique constraint decides, so that
 * concurrent inserts of one name all succeed.
 *
 * @param insert inserts under the given slug; in its own transaction if it has several statements
 */
export async function underFreeSlug<T>(name: string, constraint: string, insert: (slug: string) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    const slug = slugOf(name);
    try {
      return await insert(tries === 1 ? slug : `${slug}-${randomBase62(6).toLowerCase()}`);
    } catch (error) {
      if (tries === maxTries || !isUniqueViolation(error, constraint)) throw error;
    }
  }
}
