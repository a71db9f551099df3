import { ServiceError } from '../../contract/errors.ts';

/** Largest numbers of live records (docs/semantics.md, "Administration"). */
export const mostApiKeysOfProject = 100;
export const mostProjectsOfOrganization = 100;
export const mostOrganizationsOfPerson = 20;
export const mostTokensOfPerson = 20;
export const mostInvitationsOfOrganization = 200;

/**
 * Errors: `conflict` when `most` records exist already. The caller holds a lock on the record that has them, so that concurrent requests are
 * counted like sequential ones.
 *
 * @param sentence what there are enough of, and what to do
 */
export function requireFewer(existing: number, most: number, sentence: string): void {
  if (existing >= most) throw new ServiceError('conflict', sentence);
}
