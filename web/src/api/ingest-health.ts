import { queryOptions } from '@tanstack/react-query';
import { endpoints } from '../paths.ts';
import { get } from './client.ts';
import type { IngestHealth } from './wire.ts';

export const ingestHealthKey = ['ingest-health'] as const;

/** Ingestion status of a project and use of the monthly quota. @param everyMs polling interval */
export function ingestHealthQuery(projectId: string, everyMs?: number) {
  return queryOptions({
    queryKey: [...ingestHealthKey, projectId],
    queryFn: ({ signal }) => get<IngestHealth>(endpoints.ingestHealth(projectId), signal),
    ...(everyMs === undefined ? {} : { refetchInterval: everyMs, staleTime: 0 }),
  });
}
