import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { get } from '../../api/client.ts';
import { traceQuery } from '../../api/traces.ts';
import type { ListTracesQuery, TracePage } from '../../api/wire.ts';
import { endpoints } from '../../paths.ts';
import type { Parameters } from '../../paths.ts';
import { after, pickFilter, queueRequest, traceFilters } from './search.ts';
import type { AnnotationSearch, Position } from './search.ts';

/** Traces of a page of the list: the place itself, some that were scored a moment ago, and the next one. */
const pageSize = 10;
/** Of one millisecond that are told apart: more start at once only where times were made up. */
const mostTogether = 200;

/** What comes next in the queue. */
export type Next = { kind: 'trace'; at: Position } | { kind: 'end' };

interface Looking {
  client: QueryClient;
  projectId: string;
  search: AnnotationSearch;
  evaluator: string;
  nowMs: number;
  signal: AbortSignal;
}

/** Looks from a place on for the first trace that comes up. What it finds is in the cache by then. */
async function lookAhead({ client, projectId, search, evaluator, nowMs, signal }: Looking, from: Position | null): Promise<Next> {
  const request = queueRequest(search, nowMs, from, pickFilter(search, evaluator));
  const page = (query: ListTracesQuery) => get<TracePage>(endpoints.traces(projectId, query as Parameters), signal);
  let together: Position[] | null = null;
  let cursor: string | undefined;
  for (;;) {
    const { traces, nextCursor } = await page({ ...request, limit: pageSize, cursor });
    let behind = after(traces, from, together);
    if (behind === null && from !== null) {
      const { startTime } = from;
      const sameMoment = { ...(traceFilters(search) as ListTracesQuery), from: startTime, to: startTime, limit: mostTogether };
      together = (await page(sameMoment)).traces;
      behind = after(traces, from, together);
    }
    const next = behind?.[0];
    if (next !== undefined) {
      await client.ensureQueryData(traceQuery(projectId, next.traceId));
      return { kind: 'trace', at: { traceId: next.traceId, startTime: next.startTime } };
    }
    // A search may give nothing yet and a place to go on from.
    if (nextCursor === null) return { kind: 'end' };
    cursor = nextCursor;
  }
}

/**
 * The trace that comes up after a place; the first one without a place. It is looked for while the one before is still being read.
 *
 * @param nowMs from when on a range of hours counts back
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
