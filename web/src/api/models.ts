import { queryOptions } from '@tanstack/react-query';
import { endpoints } from '../paths.ts';
import { get } from './client.ts';
import type { RangeRequest } from '../range.ts';
import type { ModelDetail, ModelList, Overview, TimelineQuery } from './wire.ts';

/** The models called in a time range, highest cost first. */
export function modelsQuery(projectId: string, range: RangeRequest) {
  return queryOptions({
    queryKey: ['models', projectId, range],
    queryFn: ({ signal }) => get<ModelList>(endpoints.models(projectId, { ...range }), signal),
    staleTime: 30_000,
  });
}

/** The overview of a project in a time range. */
export function overviewQuery(projectId: string, range: TimelineQuery) {
  return queryOptions({
    queryKey: ['overview', projectId, range],
    queryFn: ({ signal }) => get<Overview>(endpoints.overview(projectId, { ...range }), signal),
    staleTime: 30_000,
  });
}

/** The details of one model in a time range. */
export function modelQuery(projectId: string, model: string, range: TimelineQuery) {
  return queryOptions({
    queryKey: ['model', projectId, model, range],
    queryFn: ({ signal }) => get<ModelDetail>(endpoints.model(projectId, model, { ...range }), signal),
    staleTime: 30_000,
  });
}
