import { errorBody } from '../../contract/common.ts';
import { frameworkList } from '../../contract/compliance.ts';
import type { Server } from '../../platform/http/index.ts';
import { soc2 } from './soc2.ts';

/** `GET /v1/compliance/frameworks`: a static listing, for a session with `compliance:read` in any organization. */
export function complianceRoutes(app: Server): void {
  app.get(
    '/v1/compliance/frameworks',
    {
      config: { access: { who: 'session', scope: 'any-organization', permission: 'compliance:read' } },
      schema: {
        tags: ['compliance'],
        summary: 'The registered compliance frameworks and their controls',
        response: { 200: frameworkList, 403: errorBody },
      },
    },
    () => ({ frameworks: [soc2] }),
  );
}
