import { errorBody } from '../../../contract/common.ts';
import * as wire from '../../../contract/simulation-try.ts';
import { goneSignal, tenantOf } from '../../../platform/http/index.ts';
import type { Server } from '../../../platform/http/index.ts';
import { takeToken } from '../../../platform/rate-limit/index.ts';
import type { BucketSize, RateLimit } from '../../../platform/rate-limit/index.ts';
import { tryItem } from './try-item.ts';
import type { TryContext } from './try-item.ts';

/** Items that a project tries (docs/semantics.md, "Trying one item"). */
export const tryRate: BucketSize = { capacity: 20, refillPerSecond: 20 / 60 };

const refusal = `This project tries more than ${tryRate.capacity} items a minute; start a batch run instead.`;

/** Trying one item (docs/semantics.md, "Trying one item"). */
export function tryRoutes(app: Server, context: TryContext, buckets: RateLimit): void {
  app.post(
    '/v1/projects/:id/simulations/try',
    {
      config: { access: { who: 'key-or-session', permission: 'simulations:manage' } },
      schema: {
        tags: ['simulations'],
        summary: 'Send one item to a target, and evaluate the output',
        description: 'Nothing is stored, and no trace is written. The target and the evaluators need not belong to a scenario.',
        params: wire.tryParams,
        body: wire.tryBody,
        response: {
          200: wire.tried,
          400: errorBody,
          401: errorBody,
          403: errorBody,
          404: errorBody,
          413: errorBody,
          429: errorBody,
          503: errorBody,
        },
      },
      // Before the body is read, for every authenticated request of the project.
      onRequest: (request, _reply, next) => takeToken(buckets, `simulations ${tenantOf(request).projectId}`, refusal, next),
    },
    (request, reply) => tryItem(context, tenantOf(request).projectId, request.body, goneSignal(reply)),
  );
}
