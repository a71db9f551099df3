import { inspect } from 'node:util';
import { ConfigError } from './config.ts';
import { BackupError } from './features/backup/index.ts';
import { ClickHouseStartError } from './platform/clickhouse/index.ts';
import { DataDirectoryError } from './platform/data-directory/index.ts';
import { DatabaseError } from './platform/postgres/index.ts';

/** Errors whose message is complete for the operator; their stack is not printed. */
const forOperators = [ConfigError, DataDirectoryError, DatabaseError, ClickHouseStartError, BackupError];

/** The text of a startup error: one line for a known error, the whole error with its stack otherwise. */
export function startupError(error: unknown): string {
  if (forOperators.some((kind) => error instanceof kind)) return (error as Error).message;
  const { code, port } = error as { code?: unknown; port?: unknown };
  if (code === 'EADDRINUSE')
    return `port ${String(port)} is taken; stop what listens there, or set SPANWISE_PORT to another port`;
  return inspect(error);
}
