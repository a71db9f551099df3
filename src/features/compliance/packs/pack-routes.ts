import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import * as wire from '../../../contract/evidence-packs.ts';
import { actorOf, jsonType, readWhole, refuseExcess, route, tenantOf } from '../../../platform/http/index.ts';
import { goneSignal } from '../../../platform/request-scope/index.ts';
import type { Access, Server } from '../../../platform/http/index.ts';
import { downloadPack } from './download-pack.ts';
import { findPack, requirePack } from './find-pack.ts';
import { generatePack } from './generate-pack.ts';
import { listPacks } from './list-packs.ts';
import type { PacksContext } from './packs-context.ts';
import { requirePlan } from './require-plan.ts';
import { verifyPack } from './verify-pack.ts';

const tags = ['compliance'];
const path = '/v1/projects/:id/evidence-packs';
const onePath = `${path}/:packId`;
const reading: Access = { who: 'session', scope: 'project', permission: 'compliance:read' };
const generating: Access = { who: 'session', scope: 'project', permission: 'compliance:generate' };

/** Evidence packs of a project (docs/semantics.md, "Evidence packs"). For sessions only, from the plan `pro` on. */
export function packRoutes(app: Server, context: PacksContext): void {
  const planned = async (request: FastifyRequest) => requirePlan(tenantOf(request));
  route(app, 'POST', path, {
    access: generating,
    resource: planned,
    tags,
    summary: 'Generate an evidence pack',
    params: wire.packsParams,
    body: wire.packBody,
    answer: [201, wire.evidencePack],
    errors: [409, 429, 503],
    handle: async (request, reply) => {
      const content = await generatePack(context, tenantOf(request), actorOf(request), request.body);
      return sendBytes(reply, content);
    },
  });
  route(app, 'GET', path, {
    access: reading,
    resource: planned,
    tags,
    summary: 'List evidence packs without their evidence, newest first',
    params: wire.packsParams,
    query: wire.listPacksQuery,
    answer: wire.packPage,
    handle: (request) => listPacks(context, tenantOf(request).projectId, request.query),
  });
  onePackRoutes(app, context);
  void app.register((scope: Server, _options, done) => {
    // Verification reads the bytes: a parsed body has lost what was given twice.
    scope.removeContentTypeParser('application/json');
    scope.addContentTypeParser('application/json', async (request: FastifyRequest, payload: Readable) => {
      const bytes = await readWhole(request, payload);
      refuseExcess(request, bytes);
      return bytes;
    });
    givenPackRoute(scope, context, planned);
    done();
  });
}

function onePackRoutes(app: Server, context: PacksContext): void {
  const resource = async (request: FastifyRequest) => {
    requirePlan(tenantOf(request));
    await requirePack(context, tenantOf(request).projectId, (request.params as { packId: string }).packId);
  };
  const config = { access: reading, resource };
  const params = wire.packParams;
  route(app, 'GET', onePath, {
    ...config,
    tags,
    summary: 'One evidence pack',
    params,
    answer: wire.evidencePack,
    handle: async (request, reply) =>
      sendBytes(reply, await findPack(context, tenantOf(request).projectId, request.params.packId)),
  });
  route(app, 'GET', `${onePath}/download`, {
    ...config,
    tags,
    summary: 'An evidence pack as a file: its JSON, a page to print, or a DSSE envelope with an in-toto statement',
    params,
    query: wire.downloadQuery,
    produces: ['application/json', 'text/html'],
    answer: z.unknown().describe('the file: JSON, or text for html'),
    errors: [409],
    handle: async (request, reply) => {
      const { content, contentType, name } = await downloadPack(
        context,
        tenantOf(request).projectId,
        request.params.packId,
        request.query.format,
      );
      return (
        reply
          .type(contentType)
          .header('content-disposition', `attachment; filename="${name}"`)
          // The page holds its own style, and runs and loads nothing, wherever it is opened.
          .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'")
          .send(content as never)
      );
    },
  });
  route(app, 'GET', `${onePath}/verify`, {
    ...config,
    tags,
    summary: 'Whether a stored evidence pack is unchanged, and its audit log whole',
    description: 'Reads the whole audit log: a second or two for each 100,000 entries.',
    params,
    answer: wire.packVerification,
    errors: [503],
    handle: async (request, reply) => {
      const tenant = tenantOf(request);
      const content = await findPack(context, tenant.projectId, request.params.packId);
      return verifyPack(context, tenant, content, goneSignal(reply.raw));
    },
  });
}

function givenPackRoute(app: Server, context: PacksContext, planned: (request: FastifyRequest) => Promise<void>): void {
  route(app, 'POST', `${path}/verify`, {
    access: reading,
    resource: planned,
    limits: 'pack',
    tags,
    summary: 'Whether a downloaded evidence pack is unchanged, and its audit log whole',
    description: 'The body is a pack as it was downloaded with format=json or format=dsse, at most 16 MiB.',
    params: wire.packsParams,
    body: z.unknown().meta({ type: 'object', description: 'an evidence pack' }),
    answer: wire.packVerification,
    errors: [413, 503],
    handle: (request, reply) => verifyPack(context, tenantOf(request), bytesOf(request.body), goneSignal(reply.raw)),
  });
}

/** An absent body is none of a pack. */
function bytesOf(body: unknown): Uint8Array {
  return body instanceof Uint8Array ? body : new Uint8Array();
}

/** Sends a stored pack as it is. */
function sendBytes(reply: FastifyReply, content: Buffer) {
  return reply.type(jsonType).send(content) as never;
}
