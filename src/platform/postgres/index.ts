export { DatabaseError, isForeignKeyViolation, isUniqueViolation } from './database-error.ts';
export type { ChangeFeed, Publish, Subscriber } from '../change-feed/change-feed.ts';
export { openPostgres } from './postgres.ts';
export type { Database, Postgres, PostgresOptions } from './postgres.ts';
export { migratePostgres } from './migrate.ts';
export { isOtherSecret, otherSecret, requireSameSecret } from './secret-fingerprint.ts';
