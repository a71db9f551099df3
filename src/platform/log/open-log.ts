import { inspect } from 'node:util';
import { pino } from 'pino';
import type { DestinationStream, Logger } from 'pino';

/** Causes of an error, and errors of an `AggregateError`, that are logged. */
const maxCauses = 3;
const maxErrors = 10;

/**
 * The log of a process, in lines of JSON. It has no headers, and of errors only their {@link loggable} fields.
 *
 * @param level of pino
 * @param destination default: standard output
 */
export function openLog(level: string, destination: DestinationStream = pino.destination(1)): Logger {
  const serializers = { err: (error: unknown) => loggable(error) };
  return pino({ level, redact: ['req.headers', 'headers'], timestamp: pino.stdTimeFunctions.isoTime, serializers }, destination);
}

/** The fields of an error that are logged. Other fields of a database error contain rows. */
function loggable(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return inspect(error, { depth: 1 });
  const { code } = error as { code?: unknown };
  const deeper = (inner: unknown): unknown => loggable(inner, depth + 1);
  return {
    type: error.name === 'Error' ? error.constructor.name : error.name,
    message: error.message,
    stack: error.stack,
    ...(typeof code === 'string' ? { code } : {}),
    ...(error.cause !== undefined && depth < maxCauses ? { cause: deeper(error.cause) } : {}),
    ...(error instanceof AggregateError && depth < maxCauses ? { errors: error.errors.slice(0, maxErrors).map(deeper) } : {}),
  };
}
