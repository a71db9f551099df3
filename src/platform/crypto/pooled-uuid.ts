import { randomFillSync } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';

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

/** A new UUID of version 7, for ids that are made at a high rate. @param msecs its time, epoch milliseconds; by default that of the system's clock */
export function pooledUuid(msecs?: number): string {
  return uuidv7({ rng: random, ...(msecs !== undefined && { msecs }) });
}
