import { auditLogQuery, auditPage, auditVerification } from '../../contract/audit.ts';
import { errorBody } from '../../contract/common.ts';
import { orgParams } from '../../contract/identity.ts';
import { goneSignal, organizationOf } from '../../platform/http/index.ts';
import type { Access, Server } from '../../platform/http/index.ts';
import type { AuditContext } from './audit-context.ts';
import { listEntries } from './list-entries.ts';
import { verifyChain } from './verify-chain.ts';

const tags = ['audit'];
const reading: { access: Access } = { access: { who: 'session', scope: 'organization', permission: 'audit:read' } };

/** Reading and verifying the audit log (docs/semantics.md, "Audit log"). */
export function auditRoutes(app: Server, context: AuditContext): void {
  app.get(
    '/v1/organizations/:orgId/audit-log',
    {
      config: reading,
      schema: {
        tags,
        summary: 'The audit log of an organization, newest first',
        params: orgParams,
        querystring: auditLogQuery,
        response: { 200: auditPage, 400: errorBody, 403: errorBody },
      },
    },
    (request) => listEntries(context, organizationOf(request).id, request.query),
  );
  app.get(
    '/v1/organizations/:orgId/audit-log/verify',
    {
      config: reading,
      schema: {
        tags,
        summary: 'Whether the audit log is complete and unchanged',
        description: 'Reads every entry: a second or two for each 100,000 of them.',
        params: orgParams,
        response: { 200: auditVerification, 403: errorBody },
      },
    },
    (request, reply) => verifyChain(context, organizationOf(request).id, goneSignal(reply)),
  );
}
