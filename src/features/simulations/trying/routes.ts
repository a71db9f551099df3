import * as wire from '../../../contract/simulation-try.ts';
import { route, tenantOf } from '../../../platform/http/index.ts';
import { goneSignal } from '../../../platform/request-scope/index.ts';
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
  route(app, 'POST', '/v1/projects/:id/simulations/try', {
    access: { who: 'key-or-session', permission: 'simulations:manage', keyScopes: ['simulations:run'] },
    limits: 'records',
    tags: ['simulations'],
    summary: 'Send one item to a target, and evaluate the output',
    description: 'Nothing is stored, and no trace is written. The target and the evaluators need not belong to a scenario.',
    params: wire.tryParams,
    body: wire.tryBody,
    // Before the body is read, for every authenticated request of the project.
    onRequest: (request, _reply, next) => takeToken(buckets, `simulations ${tenantOf(request).projectId}`, refusal, next),
    answer: wire.tried,
    errors: [413, 429, 503],
    handle: (request, reply) => tryItem(context, tenantOf(request).projectId, request.body, goneSignal(reply.raw)),
  });
}
