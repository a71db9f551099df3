import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { get } from '../../api/client.ts';
import { traceQuery } from '../../api/traces.ts';
import type { ListTracesQuery } from '../../api/parts.ts';
import { after, pickFilter, queueRequest, traceFilters } from './search.ts';
import type { AnnotationSearch, Position } from './search.ts';
import { largestLimit } from '../../../../src/contract/limits.ts';

/** Small: the page has to contain the position, recently scored traces, and the next trace. */
const pageSize = 10;

/** The next element of the queue. */
export type Next = { kind: 'trace'; at: Position } | { kind: 'end' };

interface LookAhead {
  client: QueryClient;
  projectId: string;
  search: AnnotationSearch;
  evaluator: string;
  nowMs: number;
  signal: AbortSignal;
}

/** Finds the next trace after a position and loads it into the cache. */
async function lookAhead(
  { client, projectId, search, evaluator, nowMs, signal }: LookAhead,
  from: Position | null,
): Promise<Next> {
  const request = queueRequest(search, nowMs, from, pickFilter(search, evaluator));
  const page = (query: ListTracesQuery & { limit: number; cursor?: string | undefined }) =>
    get('/v1/projects/{id}/traces', { id: projectId, ...query }, signal);
  let together: Position[] | null = null;
  let cursor: string | undefined;
  for (;;) {
    const { traces, nextCursor } = await page({ ...request, limit: pageSize, cursor });
    let behind = after(traces, from, together);
    if (behind === null && from !== null) {
      const { startTime } = from;
      const sameMoment = { ...traceFilters(search), from: startTime, to: startTime, limit: largestLimit };
      together = (await page(sameMoment)).traces;
      behind = after(traces, from, together);
    }
    const next = behind?.[0];
    if (next !== undefined) {
      await client.ensureQueryData(traceQuery(projectId, next.traceId));
      return { kind: 'trace', at: { traceId: next.traceId, startTime: next.startTime } };
    }
    // An empty page may have a cursor to continue from.
    if (nextCursor === null) return { kind: 'end' };
    cursor = nextCursor;
  }
}

/**
 * The next trace of the queue after a position, or the first one. Prefetched while the viewer reads the current trace.
 *
 * @param nowMs the end of relative ranges, epoch milliseconds
 */
export function useNext(projectId: string, search: AnnotationSearch, evaluator: string, from: Position | null, nowMs: number) {
  const client = useQueryClient();
  const { pick, below, range, from: start, to } = search;
  return useQuery({
    queryKey: ['annotation-next', projectId, evaluator, traceFilters(search), { pick, below, range, start, to }, from],
    queryFn: ({ signal }) => lookAhead({ client, projectId, search, evaluator, nowMs, signal }, from),
    staleTime: 60_000,
    gcTime: 60_000,
  });
}
