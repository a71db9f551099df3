import { inspect } from 'node:util';
import { ConfigError } from './config.ts';
import { BackupError } from './features/backup/index.ts';
import { ClickHouseStartError } from './platform/clickhouse/index.ts';
import { DataDirectoryError } from './platform/data-directory/index.ts';
import { FirstStartError, InstallationError } from './platform/installation/index.ts';
import { DatabaseError } from './platform/postgres/index.ts';

/** Errors whose message is complete for the operator; their stack is not printed. */
const forOperators = [
  ConfigError,
  FirstStartError,
  DataDirectoryError,
  DatabaseError,
  ClickHouseStartError,
  BackupError,
  InstallationError,
];

/** The text of a startup error: one line for a known error, the whole error with its stack otherwise. */
export function startupError(error: unknown): string {
  if (forOperators.some((kind) => error instanceof kind)) return (error as Error).message;
  return listenError(error as ListenError) ?? inspect(error);
}

interface ListenError {
  code?: unknown;
  syscall?: unknown;
  hostname?: unknown;
  address?: unknown;
  port?: unknown;
}

/** What to correct where the service cannot listen; null for another error. */
function listenError({ code, syscall, hostname, address, port }: ListenError): string | null {
  if (code === 'EADDRINUSE')
    return `port ${String(port)} is taken; stop what listens there, or set SPANWISE_PORT (SPANWISE_METRICS_PORT if it is that of the metrics) to another port`;
  if (syscall === 'getaddrinfo')
    return `SPANWISE_HOST: the host ${String(hostname)} has no address (${String(code)}); set an address of this machine, for example 127.0.0.1 or 0.0.0.0`;
  if (code === 'EADDRNOTAVAIL')
    return `SPANWISE_HOST: this machine does not have the address ${String(address)}; set one of its own, for example 127.0.0.1 or 0.0.0.0`;
  if (code === 'EACCES' && syscall === 'listen')
    return `port ${String(port)} may not be used by this user; set SPANWISE_PORT to 1024 or more, for example 4318`;
  return null;
}
