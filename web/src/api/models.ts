import { queryOptions } from '@tanstack/react-query';
import { get } from './client.ts';
import type { FiguresRequest } from '../range.ts';
import type { TimelineQuery } from './parts.ts';

/** The models called in a time range, highest cost first. */
export function modelsQuery(projectId: string, range: FiguresRequest) {
  return queryOptions({
    queryKey: ['models', projectId, range],
    queryFn: ({ signal }) => get('/v1/projects/{id}/models', { id: projectId, ...range }, signal),
    staleTime: 30_000,
  });
}

/** The overview of a project in a time range. */
export function overviewQuery(projectId: string, range: TimelineQuery) {
  return queryOptions({
    queryKey: ['overview', projectId, range],
    queryFn: ({ signal }) => get('/v1/projects/{id}/overview', { id: projectId, ...range }, signal),
    staleTime: 30_000,
  });
}

/** The details of one model in a time range. */
export function modelQuery(projectId: string, model: string, range: TimelineQuery) {
  return queryOptions({
    queryKey: ['model', projectId, model, range],
    queryFn: ({ signal }) => get('/v1/projects/{id}/models/{model}', { id: projectId, model, ...range }, signal),
    staleTime: 30_000,
  });
}
