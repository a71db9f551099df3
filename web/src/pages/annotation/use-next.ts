import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { get } from '../../api/client.ts';
import { traceQuery } from '../../api/traces.ts';
import type { TracePage } from '../../api/wire.ts';
import { endpoints } from '../../paths.ts';
import type { Parameters } from '../../paths.ts';
import { after, defaultBelow, isWanted, queueRequest, traceFilters } from './search.ts';
import type { AnnotationSearch, Position } from './search.ts';

/** Traces whose scores are looked at before somebody says to go on, a page of the list, and how many are asked for at once. */
const mostLookedAt = 200;
const pageSize = 25;
const atOnce = 4;

/** What comes next in the queue. */
export type Next =
  | { kind: 'trace'; at: Position }
  /** Nothing so far; there is more from `from` on. */
  | { kind: 'paused'; from: Position; looked: number }
  | { kind: 'end' };

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
  const request = queueRequest(search, nowMs, from) as Parameters;
  const pick = search.pick ?? 'unscored';
  const below = Number(search.below ?? defaultBelow);
  let cursor: string | undefined;
  let looked = 0;
  let last = from;
  for (;;) {
    const page = await get<TracePage>(endpoints.traces(projectId, { ...request, limit: pageSize, cursor }), signal);
    const traces = cursor === undefined ? after(page.traces, from) : page.traces;
    for (let index = 0; index < traces.length; index += atOnce) {
      const some = traces.slice(index, index + (pick === 'all' ? 1 : atOnce));
      const details = await Promise.all(some.map(({ traceId }) => client.ensureQueryData(traceQuery(projectId, traceId))));
      const found = details.findIndex(({ scores }) => isWanted(scores, evaluator, pick, below));
      const trace = some[found];
      if (trace !== undefined) return { kind: 'trace', at: { traceId: trace.traceId, startTime: trace.startTime } };
      looked += some.length;
      last = some.at(-1) ?? last;
      signal.throwIfAborted();
    }
    if (page.nextCursor === null) return { kind: 'end' };
    if (looked >= mostLookedAt && last !== null) return { kind: 'paused', from: last, looked };
    cursor = page.nextCursor;
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
