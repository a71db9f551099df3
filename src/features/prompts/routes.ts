import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { projectIdQuery } from '../../contract/common.ts';
import { ServiceError } from '../../contract/errors.ts';
import * as wire from '../../contract/prompts.ts';
import type { Permission } from '../../contract/permissions.ts';
import { actingOf, actorOf, jsonType, namesEtag, route, tenantOf } from '../../platform/http/index.ts';
import type { Access, KeyScopes, Server } from '../../platform/http/index.ts';
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
import { removeLabel } from './remove-label.ts';
import { replaceTags } from './replace-tags.ts';

const tags = ['prompts'];

function access(permission: Permission, keyScopes: KeyScopes): { access: Access } {
  return { access: { who: 'key-or-session', permission, keyScopes } };
}

const reading = access('dashboard:read', ['prompts:read', 'read']);
const writing = access('prompts:manage', ['prompts:write']);

/** Routes of prompts and their versions (docs/semantics.md, "Prompts"). */
export function promptRoutes(app: Server, context: PromptsContext): void {
  fetchingRoutes(app, context);
  versionRoutes(app, context);
  labelRoutes(app, context);
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
  route(app, 'GET', '/v1/prompts', {
    ...reading,
    tags,
    summary: 'List prompts, or fetch one version of one',
    description:
      'With name: that version of the prompt. 409 when its references cannot be resolved any more. Without: the latest version of each prompt. Both with an ETag.',
    query: wire.promptsQuery,
    // The hot path: a cached answer is sent without validating the query.
    preValidation: (request, reply, done) => {
      const cached = context.cache.peek(tenantOf(request).projectId, request.url);
      if (cached) void reply.send(answered(request, reply, cached) as never);
      else done();
    },
    answer: z.union([wire.promptVersion, wire.promptPage]),
    also: { 304: z.null() },
    errors: [404, 409],
    handle: async (request, reply) => {
      const { query, url } = request;
      const { projectId } = tenantOf(request);
      const selection = selectionOf(query);
      if (!selection) return answered(request, reply, answerOf(await listPrompts(context, projectId, query))) as never;
      return answered(request, reply, await fetchPrompt(context, projectId, selection, url)) as never;
    },
  });
  route(app, 'GET', '/v1/prompts/folders', {
    ...reading,
    tags,
    summary: 'The distinct folders of the prompts',
    query: projectIdQuery,
    answer: wire.folderList,
    handle: async (request) => ({ folders: await listFolders(context, tenantOf(request).projectId) }),
  });
  route(app, 'GET', '/v1/projects/:id/prompts/:name/metrics', {
    ...reading,
    tags,
    summary: 'Calls, cost, latency and scores of each version of a prompt, from the spans that carry its name and version',
    params: wire.projectPromptParams,
    query: wire.metricsQuery,
    answer: wire.promptMetrics,
    handle: (request) => promptMetrics(context, tenantOf(request), request.params.name, request.query),
  });
}

function versionRoutes(app: Server, context: PromptsContext): void {
  route(app, 'POST', '/v1/prompts', {
    ...writing,
    limits: 'prompt',
    tags,
    summary: 'Add a version to a prompt, or create the prompt',
    query: projectIdQuery,
    body: wire.promptBody,
    answer: [201, wire.promptVersion],
    errors: [413],
    handle: (request) => createVersion(context, { tenant: tenantOf(request), actor: actorOf(request) }, request.body),
  });
  route(app, 'GET', '/v1/prompts/:name/versions', {
    ...ofPrompt(reading, context),
    tags,
    summary: 'The versions of a prompt, newest first',
    params: wire.promptParams,
    query: wire.versionsQuery,
    answer: wire.versionPage,
    handle: (request) => listVersions(context, tenantOf(request).projectId, request.params.name, request.query),
  });
  route(app, 'PATCH', '/v1/prompts/:name/labels', {
    ...ofPrompt(writing, context),
    limits: 'fields',
    tags,
    summary: 'Move labels to a version, or take labels off it',
    description: 'Its other labels stay. The versions are those of GET versions, newest first, up to 1,000 and 16 MiB.',
    params: wire.promptParams,
    query: projectIdQuery,
    body: wire.labelsBody,
    answer: wire.promptVersions,
    handle: async (request) => {
      const acting = { tenant: tenantOf(request), actor: actorOf(request) };
      return { versions: await moveLabels(context, acting, request.params.name, request.body) };
    },
  });
}

function labelRoutes(app: Server, context: PromptsContext): void {
  route(app, 'DELETE', '/v1/prompts/:name/labels/:label', {
    ...ofPrompt(writing, context),
    tags,
    summary: 'Remove a label from the version that has it',
    params: wire.labelParams,
    query: projectIdQuery,
    answer: 204,
    handle: (request) => removeLabel(context, { tenant: tenantOf(request), actor: actorOf(request) }, request.params),
  });
}

function familyRoutes(app: Server, context: PromptsContext): void {
  const one = { tags, params: wire.promptParams, query: projectIdQuery };
  route(app, 'PATCH', '/v1/prompts/:name/tags', {
    ...ofPrompt(writing, context),
    limits: 'fields',
    ...one,
    summary: 'Replace the tags of all versions of a prompt',
    body: wire.tagsBody,
    answer: wire.promptVersions,
    handle: async (request) => ({
      versions: await replaceTags(context, tenantOf(request).projectId, request.params.name, request.body.tags),
    }),
  });
  route(app, 'PATCH', '/v1/prompts/:name/folder', {
    ...ofPrompt(writing, context),
    ...one,
    summary: 'Move a prompt with all its versions into a folder, or to the root',
    body: wire.folderBody,
    answer: wire.movedFolder,
    handle: (request) => moveFolder(context, tenantOf(request).projectId, request.params.name, request.body.folder),
  });
  route(app, 'DELETE', '/v1/prompts/:name', {
    ...ofPrompt(writing, context),
    ...one,
    summary: 'Delete a prompt with all its versions, unless another prompt refers to it',
    answer: 204,
    errors: [409],
    handle: (request) => deletePrompt(context, actingOf(request), request.params.name),
  });
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
