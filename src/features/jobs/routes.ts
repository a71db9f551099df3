import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { ServiceError } from '../../contract/errors.ts';
import * as wire from '../../contract/jobs.ts';
import { callerOf, mayUse, requireScope, route, tenantOf } from '../../platform/http/index.ts';
import type { Access, Server } from '../../platform/http/index.ts';
import { cancelJob } from './cancel-job.ts';
import { findJob, getJob, recordOf, runningJob } from './job-record.ts';
import type { JobsContext } from './jobs-context.ts';
import { listJobs } from './list-jobs.ts';

const tags = ['jobs'];
const reading: Access = { who: 'key-or-session', permission: 'dashboard:read', keyScopes: ['read'] };
/** The job's type says which of the scopes of a key. */
const cancelling: Access = { ...reading, keyScopes: ['read', 'datasets:write'], scopeByAction: true };
const path = '/v1/projects/:id/jobs';

/** Routes of jobs (docs/semantics/jobs.md, "Durable jobs"). */
export function jobRoutes(app: Server, context: JobsContext): void {
  const { db } = context;
  const resource = async (request: FastifyRequest) => {
    await findJob(db, tenantOf(request).projectId, (request.params as { jobId: string }).jobId);
  };
  route(app, 'GET', path, {
    access: reading,
    tags,
    summary: 'List jobs, newest first',
    params: wire.jobsParams,
    query: wire.jobsQuery,
    answer: wire.jobPage,
    handle: (request) => listJobs(db, tenantOf(request).projectId, request.query),
  });
  route(app, 'GET', `${path}/:jobId`, {
    access: reading,
    tags,
    summary: 'One job with its progress',
    params: wire.jobParams,
    answer: wire.job,
    handle: (request) => getJob(db, tenantOf(request).projectId, request.params.jobId),
  });
  route(app, 'POST', `${path}/:jobId/cancel`, {
    access: cancelling,
    resource,
    tags,
    summary: 'Cancel a job',
    description: 'What it has done stays. Needs the permission that making such a job needs. 409 conflict: the job is over.',
    params: wire.jobParams,
    answer: wire.job,
    errors: [409],
    handle: async (request) => {
      const { projectId } = tenantOf(request);
      const { type } = await findJob(db, projectId, request.params.jobId);
      requirePermission(request, context, type);
      return cancelJob(context, projectId, request.params.jobId);
    },
  });
  downloadRoute(app, context, resource);
}

function downloadRoute(
  app: Server,
  { db, clock, types }: JobsContext,
  resource: (request: FastifyRequest) => Promise<void>,
): void {
  route(app, 'GET', `${path}/:jobId/download`, {
    access: reading,
    resource,
    tags,
    summary: 'The file that a job made',
    description: '404 not_found: the job made no file, or the file has expired.',
    params: wire.jobParams,
    produces: ['application/x-ndjson', 'text/csv'],
    answer: z.string(),
    handle: async (request, reply) => {
      const row = await findJob(db, tenantOf(request).projectId, request.params.jobId);
      const { result } = recordOf(row);
      const isOver = result?.expiresAt !== undefined && Date.parse(result.expiresAt) <= clock.now();
      const file = result === null || isOver ? null : ((await types.get(row.type)?.download?.(runningJob(row))) ?? null);
      const size = file && (await stat(file.path).catch(() => null))?.size;
      if (file === null || size === undefined || size === null)
        throw new ServiceError('not_found', 'This job has no file to download: it made none, or the file has expired.');
      return reply
        .type(file.mediaType)
        .header('content-length', size)
        .header('content-disposition', `attachment; filename="${file.name}"`)
        .send(createReadStream(file.path));
    },
  });
}

/** Errors: `forbidden`. */
function requirePermission(request: FastifyRequest, { types }: JobsContext, name: string): void {
  const type = types.get(name);
  if (!type) return;
  if (type.byKey === false && callerOf(request).kind === 'key')
    throw new ServiceError('forbidden', 'Only a user may do this; sign in, or send a valid personal access token.');
  requireScope(request, type.byKey || 'none');
  if (!mayUse(request, type.permission))
    throw new ServiceError('forbidden', `Your role lacks the permission ${type.permission}; ask an owner or admin.`);
}
