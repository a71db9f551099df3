export { Pace } from './pace.ts';
export { DatabaseError, isForeignKeyViolation, isUniqueViolation } from './database-error.ts';
export type { ChangeFeed, Publish, Subscriber } from './change-feed.ts';
export { openPostgres } from './postgres.ts';
export type { Postgres, PostgresOptions } from './postgres.ts';
export type { Database, Tables, Transaction } from './tables.ts';
export { migratePostgres } from './migrate.ts';
export { forgetSecret, isOtherSecret, otherSecret, requireSameSecret } from './secret-fingerprint.ts';
