export { DatabaseError, isUniqueViolation } from './database-error.ts';
export type { Notifications, Publish, Subscriber } from './notifications.ts';
export { openPostgres } from './postgres.ts';
export type { Database, Postgres, PostgresOptions } from './postgres.ts';
export { migratePostgres } from './migrate.ts';
export { requireSameSecret } from './secret-fingerprint.ts';
