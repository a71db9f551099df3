import { queryOptions } from '@tanstack/react-query';
import { get } from './client.ts';
import type { IngestHealth } from './service.ts';

export const ingestHealthKey = ['ingest-health'] as const;

/** A span within this time counts as data that is arriving now. */
const receivingMs = 5 * 60_000;

/** Whether spans are arriving at `nowMs` (epoch milliseconds). */
export function isReceiving({ lastSpanAt }: Pick<IngestHealth, 'lastSpanAt'>, nowMs: number): boolean {
  return lastSpanAt !== null && nowMs - Date.parse(lastSpanAt) < receivingMs;
}

/** Ingestion status of a project and use of the monthly quota. @param everyMs polling interval */
export function ingestHealthQuery(projectId: string, everyMs?: number) {
  return queryOptions({
    queryKey: [...ingestHealthKey, projectId],
    queryFn: ({ signal }) => get('/v1/projects/{id}/ingest-health', { id: projectId }, signal),
    ...(everyMs === undefined ? {} : { refetchInterval: everyMs, staleTime: 0 }),
  });
}
