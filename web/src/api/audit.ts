import { infiniteQueryOptions } from '@tanstack/react-query';
import { get } from './client.ts';
import { useWrite } from './use-write.ts';
import type { AuditQuery } from './parts.ts';

const pageSize = 50;

/** The audit log of an organization, newest first, paginated. Requires `audit:read`. */
export function auditLogQuery(organizationId: string, query: AuditQuery) {
  return infiniteQueryOptions({
    queryKey: ['audit-log', organizationId, query],
    queryFn: ({ pageParam, signal }) =>
      get(
        '/v1/organizations/{orgId}/audit-log',
        { orgId: organizationId, ...query, limit: pageSize, cursor: pageParam || undefined },
        signal,
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
  });
}

/** Verifies the hash chain of the audit log. Takes one to two seconds per 100,000 entries, so it runs on request only. */
export function useVerifyAuditLog(organizationId: string) {
  return useWrite({ mutationFn: () => get('/v1/organizations/{orgId}/audit-log/verify', { orgId: organizationId }) });
}
