export { DatabaseError, isUniqueViolation } from './database-error.ts';
export { openPostgres } from './postgres.ts';
export type { Database, Postgres, PostgresOptions } from './postgres.ts';
export { migratePostgres } from './migrate.ts';
