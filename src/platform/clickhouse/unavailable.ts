import { ServiceError } from '../../contract/errors.ts';

const timeoutExceeded = '159';

/** Engine codes of overload, timeouts and outages. Other codes are faults of the statement. */
const transientCodes: ReadonlySet<string> = new Set([
  timeoutExceeded,
  '198', // DNS_ERROR
  '202', // TOO_MANY_SIMULTANEOUS_QUERIES
  '203', // NO_FREE_CONNECTION
  '209', // SOCKET_TIMEOUT
  '210', // NETWORK_ERROR
  '225', // NO_ZOOKEEPER
  '236', // ABORTED: the server is shutting down
  '241', // MEMORY_LIMIT_EXCEEDED
  '242', // TABLE_IS_READ_ONLY: a replica has lost ClickHouse Keeper
  '243', // NOT_ENOUGH_SPACE
  '252', // TOO_MANY_PARTS
  '279', // ALL_CONNECTION_TRIES_FAILED: a shard is unreachable
  '285', // TOO_FEW_LIVE_REPLICAS
  '319', // UNKNOWN_STATUS_OF_INSERT
  '394', // QUERY_WAS_CANCELLED
  '439', // CANNOT_SCHEDULE_TASK
  '999', // KEEPER_EXCEPTION
]);

/** System messages of a full or failing disk. The engine reports them under many codes, `std::exception` (1001) among them. */
const failingDisk = /No space left on device|Disk quota exceeded|Input\/output error/;
/** The same for a file that this process writes for the engine. */
const failingDiskCodes: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'EIO']);

/** `ServiceError('unavailable')` for a database that is unreachable, overloaded or too slow. @param cause of the engine or the connection */
export function unavailable(cause?: unknown): ServiceError {
  const sentence =
    (cause as { code?: unknown } | undefined)?.code === timeoutExceeded
      ? 'The analytical database did not finish the query in time; ask for a shorter time range or less at once, or try again in a few seconds.'
      : 'The analytical database does not answer just now; try again in a few seconds.';
  return new ServiceError('unavailable', sentence, {
    retryAfterSeconds: 5,
    ...(cause === undefined ? {} : { cause }),
  });
}

/**
 * Resolves as `work` does. Rejects with {@link unavailable} when the database is unavailable, else with the engine's error.
 *
 * @param mode over HTTP, an error without an engine code comes from the connection or a proxy
 */
export async function translated<T>(mode: 'embedded' | 'http', work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    throw isUnavailable(mode, cause) ? unavailable(cause) : cause;
  }
}

function isUnavailable(mode: 'embedded' | 'http', cause: unknown): boolean {
  if (!(cause instanceof Error) || cause instanceof ServiceError) return false;
  const { code } = cause as { code?: unknown };
  if (failingDiskCodes.has(code) || failingDisk.test(cause.message)) return true;
  if (typeof code === 'string' && /^\d+$/.test(code)) return transientCodes.has(code);
  if (mode === 'embedded') return false;
  // Node's error codes of sockets, TLS and HTTP. The client's timeouts and aborts, and a proxy's error page, are plain errors without a code;
  // programming errors have a subclass such as TypeError.
  return typeof code === 'string' || cause.constructor === Error;
}
