import { pooledUuid } from '../crypto/pooled-uuid.ts';

const saneId = /^[A-Za-z0-9._-]{1,128}$/;

/** The id of a request: the caller's own when it is valid, else a new one (docs/semantics.md, "Request ids"). */
export function requestId(given: string | string[] | undefined): string {
  return typeof given === 'string' && saneId.test(given) ? given : pooledUuid();
}
