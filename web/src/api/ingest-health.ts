import { queryOptions } from '@tanstack/react-query';
import { get, isDown } from './client.ts';
import type { IngestHealth } from './service.ts';

export const ingestHealthKey = ['ingest-health'] as const;

/** A span within this time counts as data that is arriving now. */
const receivingMs = 5 * 60_000;

/** Whether spans are arriving at `nowMs` (epoch milliseconds). */
export function isReceiving({ lastSpanAt }: Pick<IngestHealth, 'lastSpanAt'>, nowMs: number): boolean {
  return lastSpanAt !== null && nowMs - Date.parse(lastSpanAt) < receivingMs;
}

/** Reads show an event within 2 seconds of its receipt; what waits longer is told. */
const tellPendingMs = 3_000;
const pollMs = 30_000;
const soonMs = 3_000;

/** How many events were received and are not yet in lists and figures; 0 while they wait as briefly as all do. */
export function toldPending({ pendingEvents, pendingMs }: Pick<IngestHealth, 'pendingEvents' | 'pendingMs'>): number {
  return pendingMs < tellPendingMs ? 0 : pendingEvents;
}

/** The ingestion status, read every 30 seconds; soon again while events are pending or the service is away. */
export function watchedHealthQuery(projectId: string) {
  return queryOptions({
    ...ingestHealthQuery(projectId),
    staleTime: soonMs,
    refetchInterval: ({ state: { data, fetchFailureReason } }) =>
      isDown(fetchFailureReason) || (data?.pendingEvents ?? 0) > 0 ? soonMs : pollMs,
  });
}

/** Ingestion status of a project and use of the monthly quota. @param everyMs polling interval */
export function ingestHealthQuery(projectId: string, everyMs?: number) {
  return queryOptions({
    queryKey: [...ingestHealthKey, projectId],
    queryFn: ({ signal }) => get('/v1/projects/{id}/ingest-health', { id: projectId }, signal),
    ...(everyMs === undefined ? {} : { refetchInterval: everyMs, staleTime: 0 }),
  });
}
