import type { FastifyRequest } from 'fastify';
import { tenantOf } from '../../platform/http/index.ts';
import type { Access } from '../../platform/http/index.ts';
import { getDataset } from './datasets.ts';
import type { DatasetsContext } from './datasets-context.ts';

export const reading: { access: Access } = { access: { who: 'key-or-session', permission: 'dashboard:read' } };
export const writing: { access: Access } = { access: { who: 'key-or-session', permission: 'datasets:manage' } };

/** What a path under `/v1/datasets/{datasetId}` needs: the dataset in the caller's project, else 404 for both kinds of caller. */
export function inDataset(context: DatasetsContext): (request: FastifyRequest) => Promise<void> {
  return async (request) => {
    await getDataset(context, tenantOf(request).projectId, (request.params as { datasetId: string }).datasetId);
  };
}
