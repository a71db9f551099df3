import { auditLogQuery, auditPage, auditVerification } from '../../contract/audit.ts';
import { orgParams } from '../../contract/identity.ts';
import { organizationOf, route } from '../../platform/http/index.ts';
import { goneSignal } from '../../platform/request-scope/index.ts';
import type { Access, Server } from '../../platform/http/index.ts';
import type { AuditContext } from './audit-context.ts';
import { listEntries } from './list-entries.ts';
import { verifyChain } from './verify-chain.ts';

const tags = ['audit'];
const reading: Access = { who: 'session', scope: 'organization', permission: 'audit:read' };

/** Reading and verifying the audit log (docs/semantics.md, "Audit log"). */
export function auditRoutes(app: Server, context: AuditContext): void {
  route(app, 'GET', '/v1/organizations/:orgId/audit-log', {
    access: reading,
    tags,
    summary: 'The audit log of an organization, newest first',
    params: orgParams,
    query: auditLogQuery,
    answer: auditPage,
    handle: (request) => listEntries(context, organizationOf(request).id, request.query),
  });
  route(app, 'GET', '/v1/organizations/:orgId/audit-log/verify', {
    access: reading,
    tags,
    summary: 'Whether the audit log is complete and unchanged',
    description: 'Reads every entry: a second or two for each 100,000 of them.',
    params: orgParams,
    answer: auditVerification,
    handle: (request, reply) => verifyChain(context, organizationOf(request).id, goneSignal(reply.raw)),
  });
}
