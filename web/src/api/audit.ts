import { infiniteQueryOptions } from '@tanstack/react-query';
import { endpoints } from '../paths.ts';
import { get } from './client.ts';
import { useWrite } from './use-write.ts';
import type { AuditPage, AuditQuery, AuditVerification } from './wire.ts';

const pageSize = 50;

/** The audit log of an organization, newest first, paginated. Requires `audit:read`. */
export function auditLogQuery(organizationId: string, query: AuditQuery) {
  return infiniteQueryOptions({
    queryKey: ['audit-log', organizationId, query],
    queryFn: ({ pageParam, signal }) =>
      get<AuditPage>(
        endpoints.auditLog(organizationId, { ...query, limit: pageSize, ...(pageParam === '' ? {} : { cursor: pageParam }) }),
        signal,
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
  });
}

/** Verifies the hash chain of the audit log. Takes one to two seconds per 100,000 entries, so it runs on request only. */
export function useVerifyAuditLog(organizationId: string) {
  return useWrite({ mutationFn: () => get<AuditVerification>(endpoints.verifyAuditLog(organizationId)) });
}
