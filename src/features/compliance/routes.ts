import { frameworkList } from '../../contract/compliance.ts';
import { route } from '../../platform/http/index.ts';
import type { Server } from '../../platform/http/index.ts';
import { soc2 } from './soc2.ts';

/** `GET /v1/compliance/frameworks`: a static listing, for a session with `compliance:read` in any organization. */
export function complianceRoutes(app: Server): void {
  route(app, 'GET', '/v1/compliance/frameworks', {
    access: { who: 'session', scope: 'any-organization', permission: 'compliance:read' },
    tags: ['compliance'],
    summary: 'The registered compliance frameworks and their controls',
    answer: frameworkList,
    handle: () => ({ frameworks: [soc2] }),
  });
}
