import { sql } from 'kysely';

/** SQL that the items of a run are still being copied: it is queued, and never due. Such a run is not shown. */
export const isPreparing = sql<boolean>`run_at = 'infinity'`;
/** SQL that a run is shown. */
export const isShown = sql<boolean>`run_at < 'infinity'`;
