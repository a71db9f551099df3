import { randomBase62 } from '../../contract/api-key.ts';
import { isUniqueViolation } from '../../platform/postgres/index.ts';

const longest = 48;
const mostTries = 5;
const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A short form of a name for URLs: lower-case letters, digits and single hyphens. */
export function slugOf(name: string): string {
  const ascii = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  const slug = ascii
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, longest);
  if (slug === '') return 'untitled';
  // Paths take a slug or an id: one must not look like the other.
  return uuidPattern.test(slug) ? `named-${slug}` : slug;
}

/**
 * Stores something under the slug of its name, with a random ending when that one is taken. The unique constraint alone decides, so
 * that two that come at once both get one.
 *
 * @param insert stores it under a slug, in a transaction of its own if it is more than one statement
 */
export async function underFreeSlug<T>(name: string, constraint: string, insert: (slug: string) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    const slug = slugOf(name);
    try {
      return await insert(tries === 1 ? slug : `${slug}-${randomBase62(6).toLowerCase()}`);
    } catch (error) {
      if (tries === mostTries || !isUniqueViolation(error, constraint)) throw error;
    }
  }
}
