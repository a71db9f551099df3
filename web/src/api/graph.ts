import { queryOptions } from '@tanstack/react-query';
import { get } from './client.ts';
import type { GraphQuery } from './parts.ts';

/** The dependency graph of a time range. */
export function graphQuery(projectId: string, query: GraphQuery) {
  return queryOptions({
    queryKey: ['graph', projectId, query],
    queryFn: ({ signal }) => get('/v1/projects/{id}/graph', { id: projectId, ...query }, signal),
    staleTime: 30_000,
  });
}

/** What depends on a node of the graph. */
export function blastRadiusQuery(projectId: string, node: string, query: GraphQuery) {
  return queryOptions({
    queryKey: ['blast-radius', projectId, node, query],
    queryFn: ({ signal }) => get('/v1/projects/{id}/blast-radius', { id: projectId, ...query, node }, signal),
    staleTime: 30_000,
  });
}
