import { randomFillSync } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';

const saneId = /^[A-Za-z0-9._-]{1,128}$/;
const size = 16;
/** Random bytes for many ids: a call for each costs more than the rest of an id. */
const pool = new Uint8Array(256 * size);
let used = pool.length;

function random(): Uint8Array {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += size;
  return pool.subarray(used - size, used);
}

/** The id of a request: the caller's own when it is valid, else a new one (docs/semantics.md, "Request ids"). */
export function requestId(given: string | string[] | undefined): string {
  return typeof given === 'string' && saneId.test(given) ? given : uuidv7({ rng: random });
}
