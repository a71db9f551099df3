import type { z } from 'zod';
import type { currentSession, whoami } from '../../../contract/identity.ts';
import type { ServiceClient } from './service-client.ts';

/** Whom a credential identifies: the project of an API key, or the user of a token with organizations and projects. */
export type Caller =
  | ({ credential: 'key' } & z.output<typeof whoami>)
  | ({ credential: 'token' } & z.output<typeof currentSession>);

/** Asks the service whom a credential identifies. Errors: those of the client. */
export async function callerOf(client: ServiceClient, credential: 'key' | 'token'): Promise<Caller> {
  return credential === 'key'
    ? { credential, ...(await client.json<z.output<typeof whoami>>('GET', '/v1/sdk/whoami')) }
    : { credential, ...(await client.json<z.output<typeof currentSession>>('GET', '/v1/auth/session')) };
}
