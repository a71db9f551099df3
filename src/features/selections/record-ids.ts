import { ServiceError } from '../../contract/errors.ts';
import type { SelectionBody } from '../../contract/selections.ts';

/** Why an id failed that names nothing. */
export const noSuchTrace = 'There is no such trace.';
export const noSuchSpan = 'There is no such span.';

/** The id of a span in a job: no id has a slash. */
export const spanKey = (traceId: string, spanId: string): string => `${traceId}/${spanId}`;

/** The ids of {@link spanKey}. */
export function spanOfKey(key: string): { traceId: string; spanId: string } {
  const slash = key.lastIndexOf('/');
  return { traceId: key.slice(0, slash), spanId: key.slice(slash + 1) };
}

/**
 * The ids of a request as a job keeps them, none twice.
 *
 * Errors: `invalid_request` for spans where traces are selected, or the other way around.
 */
export function keysOf(on: SelectionBody['on'], ids: NonNullable<SelectionBody['ids']>, path: 'ids' | 'except'): string[] {
  const keys = ids.map((id, index) => {
    const isSpan = typeof id !== 'string';
    if (isSpan !== (on === 'spans')) {
      throw new ServiceError(
        'invalid_request',
        `Traces are selected by their ids, spans by {traceId, spanId}; correct ${path}.`,
        {
          details: [{ path: `/${path}/${index}`, message: isSpan ? 'must be the id of a trace' : 'must be {traceId, spanId}' }],
        },
      );
    }
    return isSpan ? spanKey(id.traceId, id.spanId) : id;
  });
  return [...new Set(keys)];
}
