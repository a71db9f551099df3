import { queryOptions } from '@tanstack/react-query';
import { endpoints } from '../paths.ts';
import type { RangeRequest } from '../range.ts';
import { get } from './client.ts';
import type { OutcomeKinds, OutcomeSummary } from './wire.ts';

/** The outcomes of a time range, of all kinds or of one. */
export function outcomeSummaryQuery(projectId: string, range: RangeRequest, kind?: string) {
  const parameters = { ...range, kind };
  return queryOptions({
    queryKey: ['outcomes', projectId, parameters],
    queryFn: ({ signal }) => get<OutcomeSummary>(endpoints.outcomeSummary(projectId, parameters), signal),
    staleTime: 30_000,
  });
}

/** The kinds of outcomes in a time range. */
export function outcomeKindsQuery(projectId: string, range: RangeRequest) {
  return queryOptions({
    queryKey: ['outcome-kinds', projectId, range],
    queryFn: ({ signal }) => get<OutcomeKinds>(endpoints.outcomeKinds(projectId, { ...range }), signal),
    staleTime: 30_000,
  });
}
