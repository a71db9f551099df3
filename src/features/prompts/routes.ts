import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { errorBody, projectIdQuery } from '../../contract/common.ts';
import { ServiceError } from '../../contract/errors.ts';
import * as wire from '../../contract/prompts.ts';
import type { Permission } from '../../contract/permissions.ts';
import { actorOf, jsonType, namesEtag, tenantOf } from '../../platform/http/index.ts';
import type { Access, Server } from '../../platform/http/index.ts';
import { createVersion } from './create-version.ts';
import { deletePrompt } from './delete-prompt.ts';
import { requireFamily } from './family-store.ts';
import { answerOf, fetchPrompt } from './fetch-prompt.ts';
import type { Selection } from './fetch-prompt.ts';
import { listFolders } from './list-folders.ts';
import { listPrompts } from './list-prompts.ts';
import { listVersions } from './list-versions.ts';
import { moveFolder } from './move-folder.ts';
import { moveLabels } from './move-labels.ts';
import type { CachedAnswer } from './prompt-cache.ts';
import { promptMetrics } from './prompt-metrics.ts';
import type { PromptsContext } from './prompts-context.ts';
import { replaceTags } from './replace-tags.ts';

const tags = ['prompts'];
const refusals = { 400: errorBody, 401: errorBody, 403: errorBody };
const refusalsOfOne = { ...refusals, 404: errorBody };

/** Maximum body: a prompt as JSON takes up to three times its bytes, plus the configuration. */
const bodyLimit = 5 * 1_048_576;

function access(permission: Permission): { access: Access } {
  return { access: { who: 'key-or-session', permission } };
}

const reading = access('dashboard:read');
const writing = access('prompts:manage');

/** Routes of prompts and their versions (docs/semantics.md, "Prompts"). */
export function promptRoutes(app: Server, context: PromptsContext): void {
  fetchingRoutes(app, context);
  versionRoutes(app, context);
  familyRoutes(app, context);
}

/** For routes about one prompt: 404 comes before 400. */
function ofPrompt(config: { access: Access }, context: PromptsContext) {
  return {
    ...config,
    resource: async (request: FastifyRequest) => {
      await requireFamily(context.db, tenantOf(request).projectId, (request.params as { name: string }).name);
    },
  };
}

function fetchingRoutes(app: Server, context: PromptsContext): void {
  app.get(
    '/v1/prompts',
    {
      config: reading,
      schema: {
        tags,
        summary: 'List prompts, or fetch one version of one',
        description:
          'With name: that version of the prompt. 409 when its references cannot be resolved any more. Without: the latest version of each prompt. Both with an ETag.',
        querystring: wire.promptsQuery,
        response: {
          200: z.union([wire.promptVersion, wire.promptPage]),
          304: z.null(),
          ...refusalsOfOne,
          409: errorBody,
        },
      },
      // The hot path: a cached answer is sent without validating the query.
      preValidation: (request, reply, done) => {
        const cached = context.cache.peek(tenantOf(request).projectId, request.url);
        if (cached) void reply.send(answered(request, reply, cached) as never);
        else done();
      },
    },
    async (request, reply) => {
      const { query, url } = request;
      const { projectId } = tenantOf(request);
      const selection = selectionOf(query);
      if (!selection) return answered(request, reply, answerOf(await listPrompts(context, projectId, query))) as never;
      return answered(request, reply, await fetchPrompt(context, projectId, selection, url)) as never;
    },
  );
  app.get(
    '/v1/prompts/folders',
    {
      config: reading,
      schema: {
        tags,
        summary: 'The distinct folders of the prompts',
        querystring: projectIdQuery,
        response: { 200: wire.folderList, ...refusals },
      },
    },
    async (request) => ({ folders: await listFolders(context, tenantOf(request).projectId) }),
  );
  app.get(
    '/v1/projects/:id/prompts/:name/metrics',
    {
      config: reading,
      schema: {
        tags,
        summary: 'Calls, cost, latency and scores of each version of a prompt, from the spans that carry its name and version',
        params: wire.projectPromptParams,
        querystring: wire.metricsQuery,
        response: { 200: wire.promptMetrics, ...refusalsOfOne },
      },
    },
    (request) => promptMetrics(context, tenantOf(request), request.params.name, request.query),
  );
}

function versionRoutes(app: Server, context: PromptsContext): void {
  app.post(
    '/v1/prompts',
    {
      bodyLimit,
      config: writing,
      schema: {
        tags,
        summary: 'Add a version to a prompt, or create the prompt',
        querystring: projectIdQuery,
        body: wire.promptBody,
        response: { 201: wire.promptVersion, ...refusals, 413: errorBody },
      },
    },
    async (request, reply) => {
      reply.code(201);
      return createVersion(context, { tenant: tenantOf(request), actor: actorOf(request) }, request.body);
    },
  );
  app.get(
    '/v1/prompts/:name/versions',
    {
      config: ofPrompt(reading, context),
      schema: {
        tags,
        summary: 'The versions of a prompt, newest first',
        params: wire.promptParams,
        querystring: wire.versionsQuery,
        response: { 200: wire.versionPage, ...refusalsOfOne },
      },
    },
    (request) => listVersions(context, tenantOf(request).projectId, request.params.name, request.query),
  );
  app.patch(
    '/v1/prompts/:name/labels',
    {
      config: ofPrompt(writing, context),
      schema: {
        tags,
        summary: 'Move labels to a version',
        description: 'Its other labels stay. The versions are those of GET versions, newest first, up to 1,000 and 16 MiB.',
        params: wire.promptParams,
        querystring: projectIdQuery,
        body: wire.labelsBody,
        response: { 200: wire.promptVersions, ...refusalsOfOne },
      },
    },
    async (request) => {
      const acting = { tenant: tenantOf(request), actor: actorOf(request) };
      return { versions: await moveLabels(context, acting, request.params.name, request.body) };
    },
  );
}

function familyRoutes(app: Server, context: PromptsContext): void {
  const one = { tags, params: wire.promptParams, querystring: projectIdQuery };
  app.patch(
    '/v1/prompts/:name/tags',
    {
      config: ofPrompt(writing, context),
      schema: {
        ...one,
        summary: 'Replace the tags of all versions of a prompt',
        body: wire.tagsBody,
        response: { 200: wire.promptVersions, ...refusalsOfOne },
      },
    },
    async (request) => ({
      versions: await replaceTags(context, tenantOf(request).projectId, request.params.name, request.body.tags),
    }),
  );
  app.patch(
    '/v1/prompts/:name/folder',
    {
      config: ofPrompt(writing, context),
      schema: {
        ...one,
        summary: 'Move a prompt with all its versions into a folder, or to the root',
        body: wire.folderBody,
        response: { 200: wire.movedFolder, ...refusalsOfOne },
      },
    },
    (request) => moveFolder(context, tenantOf(request).projectId, request.params.name, request.body.folder),
  );
  app.delete(
    '/v1/prompts/:name',
    {
      config: ofPrompt(writing, context),
      schema: {
        ...one,
        summary: 'Delete a prompt with all its versions, unless another prompt refers to it',
        response: { 204: z.null(), ...refusalsOfOne, 409: errorBody },
      },
    },
    async (request, reply) => {
      await deletePrompt(context, tenantOf(request).projectId, request.params.name);
      return reply.code(204).send(null);
    },
  );
}

/** The selection of one version; null when the list is requested. */
function selectionOf({ name, version, label }: wire.PromptsQuery): Selection | null {
  if (name === undefined && (version !== undefined || label !== undefined))
    throw refusal(
      'Send name: version and label select a version of a named prompt.',
      '/name',
      'is required with version or label',
    );
  if (version !== undefined && label !== undefined)
    throw refusal('Send either version or label; not both.', '/label', 'cannot be combined with version');
  return name === undefined ? null : { name, version, label };
}

/** Sets status and headers; returns the body, null for a 304. */
function answered(
  request: FastifyRequest,
  reply: Pick<FastifyReply, 'header' | 'code'>,
  { body, etag }: CachedAnswer,
): Buffer | null {
  reply.header('etag', etag).header('cache-control', 'private, no-cache');
  if (!namesEtag(request.headers['if-none-match'], etag)) {
    reply.header('content-type', jsonType);
    return body;
  }
  reply.code(304);
  return null;
}

function refusal(sentence: string, path: string, message: string): ServiceError {
  return new ServiceError('invalid_request', sentence, { details: [{ path, message }] });
}
