import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import { ServiceError } from '../../contract/errors.ts';
import type { Access, Server } from '../../platform/http/index.ts';
import { notBuiltPage } from './not-built-page.ts';

/** Paths of the dashboard's router. */
const clientPaths = ['/', '/sign-in', '/invite/*', '/reset/*', '/o/*'] as const;

/** File names of the build: no hidden files, no path separators. */
const fileName = /^\w[\w.-]*$/;

const access: Access = { who: 'public' };
// Addresses of pages have parameters of the dashboard's own, and those of other sites' links.
const open = { config: { access, anyQuery: true, uncounted: true }, schema: { hide: true } };
/** Counted: it looks the link up. */
const shared = { config: { access, anyQuery: true }, schema: { hide: true } };

/**
 * Serves the built dashboard: the page for every client route, and its files as compressed at build time. Names in `assets/` contain a hash
 * of the content, so browsers cache them for ever; the page is revalidated each time (ETag).
 *
 * @param folder output of `npm run build`; while it is missing, a page says how to build it
 * @param isShown whether a shared link shows a trace; given the last segment of the link
 */
export async function dashboardRoutes(app: Server, folder: string, isShown: (token: string) => Promise<boolean>): Promise<void> {
  const page = join(folder, 'index.html');
  await app.register(fastifyStatic, {
    root: folder,
    serve: false,
    preCompressed: true,
    // The folder may not exist yet.
    suppressWarning: true,
  });
  for (const path of clientPaths) {
    app.get(path, open, (_request, reply) => {
      if (!existsSync(page)) return sendNotBuilt(reply);
      return varied(reply).header('cache-control', 'no-cache').sendFile('index.html', { cacheControl: false });
    });
  }
  // The page of a link without an account. Nobody is to keep it or to find it by searching.
  app.get('/share/:token', shared, async (request, reply) => {
    reply.headers({ 'x-robots-tag': 'noindex, nofollow', 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' });
    const { token } = request.params as { token: string };
    const found = await isShown(token);
    if (!existsSync(page)) return sendNotBuilt(reply, found ? 503 : 404);
    return varied(reply)
      .code(found ? 200 : 404)
      .sendFile('index.html', { cacheControl: false });
  });
  app.get('/assets/:file', open, (request, reply) => {
    const { file } = request.params as { file: string };
    if (!fileName.test(file) || !existsSync(join(folder, 'assets', file))) throw noSuchFile();
    return varied(reply).sendFile(join('assets', file), { immutable: true, maxAge: '365d' });
  });
  // A wrong path that a browser opens: the page says so. Requests of other clients keep their JSON.
  app.addHook('preHandler', (request, reply, done) => {
    if (!request.is404 || !isPagePath(request) || !existsSync(page)) return done();
    void reply.header('vary', 'accept, accept-encoding');
    if (!prefersPage(request)) return done();
    void reply.code(404).header('cache-control', 'no-cache').sendFile('index.html', { cacheControl: false });
  });
  app.get('/favicon.svg', open, (_request, reply) => {
    if (!existsSync(join(folder, 'favicon.svg'))) throw noSuchFile();
    return varied(reply).sendFile('favicon.svg', { maxAge: '1d' });
  });
}

/** Whether a request may ask for a page: not for an endpoint and not for a file. */
function isPagePath({ method, url }: FastifyRequest): boolean {
  const path = url.split('?', 1)[0] ?? '';
  const isPath = !/^\/(?:v1|metrics|assets)(?:\/|$)/.test(path) && !posix.basename(path).includes('.');
  return isPath && (method === 'GET' || method === 'HEAD');
}

/** Whether a request prefers HTML to JSON, as browsers do. */
function prefersPage({ headers }: FastifyRequest): boolean {
  return new Negotiator({ headers }).mediaType(['application/json', 'text/html']) === 'text/html';
}

function noSuchFile(): ServiceError {
  return new ServiceError('not_found', 'There is no such file of the dashboard; load the page again.');
}

/** Keeps compressed and plain forms apart in shared caches. */
function varied(reply: FastifyReply): FastifyReply {
  return reply.header('vary', 'accept-encoding');
}

function sendNotBuilt(reply: FastifyReply, status: 404 | 503 = 503): FastifyReply {
  return reply.code(status).header('cache-control', 'no-store').type('text/html; charset=utf-8').send(notBuiltPage);
}
