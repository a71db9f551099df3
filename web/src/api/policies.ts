import { infiniteQueryOptions, queryOptions, useQueryClient } from '@tanstack/react-query';
import { get, send } from './client.ts';
import { invalidatePolicies, policiesKey } from './policy-ownership.ts';
import { useWrite } from './use-write.ts';

import type { OrganizationPolicies, Policy, PolicyFile } from './service.ts';

export type {
  Applied as PolicyApplied,
  OrganizationPolicies,
  PlannedChange,
  Policy as PolicyRecord,
  PolicyFault,
  PolicyFile,
  PolicyList,
  PolicyPlan,
  PolicyRevision,
  PolicySummary,
  Pulled as PulledPolicies,
  Replay as PolicyReplay,
} from './service.ts';
export type PolicyKind = Policy['kind'];
export type ProjectPolicies = OrganizationPolicies['projects'][number];

const revisionsPageSize = 50;
/** Every environment and guardrail of a project, by kind, then name. Requires `policy:read`, as all queries here. */
export function policiesQuery(projectId: string) {
  return queryOptions({
    queryKey: [policiesKey, projectId, 'list'],
    queryFn: ({ signal }) => get('/v1/projects/{id}/policies', { id: projectId }, signal),
  });
}

/** The revisions of a project, newest first, paginated. */
export function policyRevisionsQuery(projectId: string) {
  return infiniteQueryOptions({
    queryKey: [policiesKey, projectId, 'revisions'],
    queryFn: ({ pageParam, signal }) =>
      get(
        '/v1/projects/{id}/policies/revisions',
        { id: projectId, limit: revisionsPageSize, cursor: pageParam || undefined },
        signal,
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
  });
}

/** The files of a revision. Those of the latest are others after an apply that changes no policy. */
export function pulledQuery(projectId: string, revision: number) {
  return queryOptions({
    queryKey: [policiesKey, projectId, 'files', revision],
    queryFn: ({ signal }) => get('/v1/projects/{id}/policies/pull', { id: projectId, revision: String(revision) }, signal),
    gcTime: 60_000,
  });
}

/** The files of the current revision, for a download. */
export function usePull(projectId: string) {
  return useWrite({ mutationFn: () => get('/v1/projects/{id}/policies/pull', { id: projectId }) });
}

/** Revision, drift and last apply of each project of an organization. */
export function organizationPoliciesQuery(organizationId: string) {
  return queryOptions({
    queryKey: [policiesKey, 'organization', organizationId],
    queryFn: ({ signal }) => get('/v1/organizations/{orgId}/policies', { orgId: organizationId }, signal),
  });
}

/** The errors of files. @param selection tells selections apart: the files of one never change */
export function policyValidationQuery(projectId: string, selection: number, files: readonly PolicyFile[]) {
  return queryOptions({
    queryKey: ['policy-validation', projectId, selection],
    queryFn: ({ signal }) => send('POST', '/v1/projects/{id}/policies/validate', { id: projectId }, { files }, signal),
    staleTime: Infinity,
    gcTime: 0,
  });
}

/** Plans files, which changes nothing. `hours`: how much recorded time is replayed; null for none. */
export function usePlanPolicies(projectId: string) {
  return useWrite({
    mutationFn: ({ files, hours }: { files: readonly PolicyFile[]; hours: number | null }) =>
      send(
        'POST',
        '/v1/projects/{id}/policies/plan',
        { id: projectId },
        {
          files,
          ...(hours === null ? {} : { replay: { hours } }),
        },
      ),
  });
}

/** Applies a plan. Requires `policy:apply`. */
export function useApplyPolicies(projectId: string) {
  const client = useQueryClient();
  return useWrite({
    mutationFn: (body: { planId: string; files: readonly PolicyFile[]; allowRemoval: boolean }) =>
      send('POST', '/v1/projects/{id}/policies/apply', { id: projectId }, body),
    onSuccess: () => invalidatePolicies(client),
  });
}
