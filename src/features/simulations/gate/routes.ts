import * as wire from '../../../contract/simulation-gate.ts';
import { batchRunParams } from '../../../contract/simulations.ts';
import { actingOf, route, tenantOf } from '../../../platform/http/index.ts';
import type { Access, Server } from '../../../platform/http/index.ts';
import { findBatchRun } from '../batch-runs/batch-run-record.ts';
import type { SimulationsContext } from '../simulations-context.ts';
import { gateBatchRun } from './gate-batch-run.ts';

const writing: Access = { who: 'key-or-session', permission: 'simulations:manage', keyScopes: ['simulations:run'] };
const path = '/projects/:id/simulations/batch-runs/:batchRunId/gate';

/** The gate, with and without the prefix `/v1` (docs/semantics.md, "The gate"). */
export function gateRoutes(app: Server, context: SimulationsContext): void {
  for (const prefix of ['/v1', ''])
    route(app, 'POST', `${prefix}${path}`, {
      access: writing,
      resource: async (request) => {
        const { batchRunId } = request.params as { batchRunId: string };
        await findBatchRun(context.db, tenantOf(request).projectId, batchRunId);
      },
      tags: ['simulations'],
      summary: 'Gate a batch run against a baseline',
      description:
        '202: the candidate has not ended; ask again. 409 conflict: the runs cannot be compared. The same two runs give the same answer.',
      params: batchRunParams,
      body: wire.gateBody,
      answer: wire.gateResult,
      also: { 202: wire.gatePending },
      errors: [409],
      handle: async (request, reply) => {
        const answer = await gateBatchRun(context, actingOf(request), request.params.batchRunId, request.body);
        if (typeof answer !== 'string') return reply.code(202).send(answer);
        return reply
          .code(200)
          .type('application/json; charset=utf-8')
          .serializer(String)
          .send(answer as never);
      },
    });
}
