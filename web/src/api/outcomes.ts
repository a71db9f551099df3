import { queryOptions } from '@tanstack/react-query';
import type { FiguresRequest } from '../range.ts';
import { get } from './client.ts';

/** The outcomes of a time range, of all kinds or of one. */
export function outcomeSummaryQuery(projectId: string, range: FiguresRequest, kind?: string) {
  const parameters = { ...range, kind };
  return queryOptions({
    queryKey: ['outcomes', projectId, parameters],
    queryFn: ({ signal }) => get('/v1/projects/{id}/outcomes/summary', { id: projectId, ...parameters }, signal),
    staleTime: 30_000,
  });
}

/** The kinds of outcomes in a time range. */
export function outcomeKindsQuery(projectId: string, range: FiguresRequest) {
  return queryOptions({
    queryKey: ['outcome-kinds', projectId, range],
    queryFn: ({ signal }) => get('/v1/projects/{id}/outcomes/kinds', { id: projectId, ...range }, signal),
    staleTime: 30_000,
  });
}
