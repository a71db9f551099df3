import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import type { InfiniteData } from '@tanstack/react-query';
import { get } from './client.ts';
import type { TracePage } from './service.ts';

/** Traces that may start in one millisecond. */
const maxTogether = 20;

/** The traces before and after a trace; null if there is none, undefined while loading. */
export interface Neighbours {
  previous: string | null | undefined;
  next: string | null | undefined;
}

interface Position {
  traceId: string;
  startTime: string;
}

/** The neighbours of an entry of a list. Pure function. */
export function neighboursIn(ids: readonly string[], traceId: string): Neighbours | null {
  const at = ids.indexOf(traceId);
  return at === -1 ? null : { previous: ids[at - 1] ?? null, next: ids[at + 1] ?? null };
}

/** The trace after a position in the order of start times. */
function besideQuery(projectId: string, { traceId, startTime }: Position, side: 'newer' | 'older') {
  const range =
    side === 'newer' ? ({ from: startTime, sort: 'startTime' } as const) : ({ to: startTime, sort: '-startTime' } as const);
  return queryOptions({
    queryKey: ['trace', projectId, traceId, side],
    queryFn: async ({ signal }) => {
      const page = await get('/v1/projects/{id}/traces', { id: projectId, ...range, limit: maxTogether }, signal);
      return (
        neighboursIn(
          page.traces.map((trace) => trace.traceId),
          traceId,
        )?.next ?? null
      );
    },
  });
}

/**
 * The neighbours of a trace in the list that was opened last, if it contains the trace; otherwise, and at the ends of what was loaded of it,
 * by start time.
 *
 * @param trace null while loading
 */
export function useNeighbours(projectId: string, trace: Position | null): Neighbours {
  const client = useQueryClient();
  const lists = client
    .getQueryCache()
    .findAll({ queryKey: ['traces', projectId] })
    .toSorted((left, right) => right.state.dataUpdatedAt - left.state.dataUpdatedAt);
  let listed: Neighbours | null = null;
  for (const { state } of lists) {
    const pages = (state.data as InfiniteData<TracePage> | undefined)?.pages ?? [];
    listed ??=
      trace &&
      neighboursIn(
        pages.flatMap(({ traces }) => traces.map(({ traceId }) => traceId)),
        trace.traceId,
      );
  }
  const position = trace ?? { traceId: '', startTime: '' };
  const newer = useQuery({ ...besideQuery(projectId, position, 'newer'), enabled: trace !== null && listed === null });
  const older = useQuery({ ...besideQuery(projectId, position, 'older'), enabled: trace !== null && listed === null });
  return listed ?? { previous: newer.data, next: older.data };
}
