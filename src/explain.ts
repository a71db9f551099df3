import { inspect } from 'node:util';
import { ConfigError } from './config.ts';
import { BackupError } from './features/backup/index.ts';
import { ClickHouseStartError } from './platform/clickhouse/index.ts';
import { DataDirectoryError } from './platform/data-directory/index.ts';
import { DatabaseError } from './platform/postgres/index.ts';

/** Errors whose message alone says what to do. */
const forOperators = [ConfigError, DataDirectoryError, DatabaseError, ClickHouseStartError, BackupError];

/** An error for the operator: one line for what they can mend, the whole error otherwise. */
export function explain(error: unknown): string {
  if (forOperators.some((kind) => error instanceof kind)) return (error as Error).message;
  const { code, port } = error as { code?: unknown; port?: unknown };
  if (code === 'EADDRINUSE')
    return `port ${String(port)} is taken; stop what listens there, or set SPANWISE_PORT to another port`;
  return inspect(error);
}
