import { queryOptions } from '@tanstack/react-query';
import { endpoints } from '../paths.ts';
import { get } from './client.ts';
import type { BlastRadius, Graph, GraphQuery } from './wire.ts';

/** The dependency graph of a time range. */
export function graphQuery(projectId: string, query: GraphQuery) {
  return queryOptions({
    queryKey: ['graph', projectId, query],
    queryFn: ({ signal }) => get<Graph>(endpoints.graph(projectId, { ...query }), signal),
    staleTime: 30_000,
  });
}

/** What depends on a node of the graph. */
export function blastRadiusQuery(projectId: string, node: string, query: GraphQuery) {
  return queryOptions({
    queryKey: ['blast-radius', projectId, node, query],
    queryFn: ({ signal }) => get<BlastRadius>(endpoints.blastRadius(projectId, { ...query, node }), signal),
    staleTime: 30_000,
  });
}
