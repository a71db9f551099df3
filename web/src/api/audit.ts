import { infiniteQueryOptions } from '@tanstack/react-query';
import { endpoints } from '../paths.ts';
import { get } from './client.ts';
import { useWrite } from './use-write.ts';
import type { AuditPage, AuditQuery, AuditVerification } from './wire.ts';

const pageSize = 50;

/** The audit log of an organisation, newest first, page after page; needs `audit:read`. */
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

/** Has the service read and check every entry; asked for by a button, as it takes a second or two for each 100,000 of them. */
export function useVerifyAuditLog(organizationId: string) {
  return useWrite({ mutationFn: () => get<AuditVerification>(endpoints.verifyAuditLog(organizationId)) });
}
