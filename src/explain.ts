import { inspect } from 'node:util';
import { ConfigError } from './config.ts';
import { DataDirectoryError } from './platform/data-directory/index.ts';
import { DatabaseError } from './platform/postgres/index.ts';

/** An error for the operator: one line for what they can mend, the whole error otherwise. */
export function explain(error: unknown): string {
  if (error instanceof ConfigError || error instanceof DataDirectoryError || error instanceof DatabaseError) return error.message;
  const { code, port } = error as { code?: unknown; port?: unknown };
  if (code === 'EADDRINUSE')
    return `port ${String(port)} is taken; stop what listens there, or set SPANWISE_PORT to another port`;
  return inspect(error);
}
