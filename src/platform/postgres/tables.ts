import type { Kysely, Transaction as KyselyTransaction } from 'kysely';

/**
 * The tables of the database. Each feature adds its own in its `tables.ts`:
 *
 * ```ts
 * declare module '../../platform/postgres/tables.ts' {
 *   interface Tables extends AlertTables {}
 * }
 * ```
 */
export interface Tables {}

/** The relational database, or a transaction of it. */
export type Database = Kysely<Tables>;
/** A transaction: what is written through it is committed together. */
export type Transaction = KyselyTransaction<Tables>;
