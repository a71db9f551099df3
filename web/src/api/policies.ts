import { infiniteQueryOptions, queryOptions, useQueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import type * as policies from '../../../src/contract/policies.ts';
import { endpoints } from '../paths.ts';
import { get, send } from './client.ts';
import { invalidatePolicies, policiesKey } from './policy-ownership.ts';
import { useWrite } from './use-write.ts';

export type {
  PlannedChange,
  PolicyApplied,
  PolicyFault,
  PolicyFile,
  PolicyKind,
  PolicyPlan,
  PolicyRecord,
  PolicyReplay,
  PolicyRevision,
  PolicySummary,
  PolicyValidation,
} from '../../../src/contract/policies.ts';
type PolicyApplied = policies.PolicyApplied;
type PolicyFile = policies.PolicyFile;
type PolicyPlan = policies.PolicyPlan;
type PolicyValidation = policies.PolicyValidation;
export type PolicyList = z.output<typeof policies.policyList>;
export type PulledPolicies = z.output<typeof policies.pulled>;
type PolicyRevisionPage = z.output<typeof policies.policyRevisionPage>;
export type OrganizationPolicies = z.output<typeof policies.organizationPolicies>;
export type ProjectPolicies = OrganizationPolicies['projects'][number];

const revisionsPageSize = 50;
/** Every environment and guardrail of a project, by kind, then name. Requires `policy:read`, as all queries here. */
export function policiesQuery(projectId: string) {
  return queryOptions({
    queryKey: [policiesKey, projectId, 'list'],
    queryFn: ({ signal }) => get<PolicyList>(endpoints.policies(projectId), signal),
  });
}

/** The revisions of a project, newest first, paginated. */
export function policyRevisionsQuery(projectId: string) {
  return infiniteQueryOptions({
    queryKey: [policiesKey, projectId, 'revisions'],
    queryFn: ({ pageParam, signal }) =>
      get<PolicyRevisionPage>(
        endpoints.policyRevisions(projectId, { limit: revisionsPageSize, cursor: pageParam || undefined }),
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
    queryFn: ({ signal }) => get<PulledPolicies>(endpoints.pulledPolicies(projectId, { revision }), signal),
    gcTime: 60_000,
  });
}

/** The files of the current revision, for a download. */
export function usePull(projectId: string) {
  return useWrite({ mutationFn: () => get<PulledPolicies>(endpoints.pulledPolicies(projectId)) });
}

/** Revision, drift and last apply of each project of an organization. */
export function organizationPoliciesQuery(organizationId: string) {
  return queryOptions({
    queryKey: [policiesKey, 'organization', organizationId],
    queryFn: ({ signal }) => get<OrganizationPolicies>(endpoints.organizationPolicies(organizationId), signal),
  });
}

/** The errors of files. @param selection tells selections apart: the files of one never change */
export function policyValidationQuery(projectId: string, selection: number, files: readonly PolicyFile[]) {
  return queryOptions({
    queryKey: ['policy-validation', projectId, selection],
    queryFn: ({ signal }) => send<PolicyValidation>('POST', endpoints.policyStep(projectId, 'validate'), { files }, signal),
    staleTime: Infinity,
    gcTime: 0,
  });
}

/** Plans files, which changes nothing. `hours`: how much recorded time is replayed; null for none. */
export function usePlanPolicies(projectId: string) {
  return useWrite({
    mutationFn: ({ files, hours }: { files: readonly PolicyFile[]; hours: number | null }) =>
      send<PolicyPlan>('POST', endpoints.policyStep(projectId, 'plan'), {
        files,
        ...(hours === null ? {} : { replay: { hours } }),
      }),
  });
}

/** Applies a plan. Requires `policy:apply`. */
export function useApplyPolicies(projectId: string) {
  const client = useQueryClient();
  return useWrite({
    mutationFn: (body: { planId: string; files: readonly PolicyFile[]; allowRemoval: boolean }) =>
      send<PolicyApplied>('POST', endpoints.policyStep(projectId, 'apply'), body),
    onSuccess: () => invalidatePolicies(client),
  });
}
