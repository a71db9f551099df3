/**
 * Who acts: a user, an API key, or the system itself (the first start, background jobs, the operator's command line). Verbs take an actor;
 * HTTP routes make it from the caller.
 */
export type Actor = RequestActor | { type: 'system' };

/** An actor that a request names. */
export type RequestActor = UserActor | { type: 'api_key'; id: string; name: string };

export interface UserActor {
  type: 'user';
  id: string;
  email: string;
  /** Chosen by the user and not unique: show the email where the record must tell users apart. */
  name: string;
}

export const systemActor: Actor = { type: 'system' };
