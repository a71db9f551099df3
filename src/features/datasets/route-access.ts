import type { FastifyRequest } from 'fastify';
import { tenantOf } from '../../platform/http/index.ts';
import type { Access } from '../../platform/http/index.ts';
import { getDataset } from './datasets.ts';
import type { DatasetsContext } from './datasets-context.ts';

export const reading: { access: Access } = {
  access: { who: 'key-or-session', permission: 'dashboard:read', keyScopes: ['read'] },
};
export const writing: { access: Access } = {
  access: { who: 'key-or-session', permission: 'datasets:manage', keyScopes: ['datasets:write'] },
};

/** The resource check of paths under `/v1/datasets/{datasetId}`: 404 unless the dataset is in the caller's project. */
export function inDataset(context: DatasetsContext): (request: FastifyRequest) => Promise<void> {
  return async (request) => {
    await getDataset(context, tenantOf(request).projectId, (request.params as { datasetId: string }).datasetId);
  };
}
