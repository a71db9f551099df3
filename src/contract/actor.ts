/**
 * A user, an API key, or the system itself (the first start, background jobs, the operator's command line). Verbs take an actor; HTTP routes derive
 * it from the caller.
 */
export type Actor = RequestActor | { type: 'system' };

/** The actor of a request. */
export type RequestActor = UserActor | { type: 'api_key'; id: string; name: string };

export interface UserActor {
  type: 'user';
  id: string;
  email: string;
  /** Chosen by the user and not unique: show the email where users must be distinguished. */
  name: string;
}

/** How records name an actor: a user's email, an API key's name, or `system`. */
export function actorName(actor: Actor): string {
  return actor.type === 'user' ? actor.email : actor.type === 'api_key' ? actor.name : 'system';
}

export const systemActor: Actor = { type: 'system' };

/** An actor, and the project in which it acts. */
export interface Acting {
  organizationId: string;
  projectId: string;
  actor: Actor;
}
