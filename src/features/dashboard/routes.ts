import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyReply } from 'fastify';
import { ServiceError } from '../../contract/errors.ts';
import type { Access, Server } from '../../platform/http/index.ts';
import { notBuiltPage } from './not-built-page.ts';

/** Paths that the dashboard's own router answers; everything else keeps its JSON 404. */
const clientPaths = ['/', '/sign-in', '/o/*'] as const;

/** As the build names files: nothing hidden, and no way out of the folder. */
const fileName = /^\w[\w.-]*$/;

const access: Access = { who: 'public' };
const open = { config: { access }, schema: { hide: true } };

/**
 * Serves the built dashboard: the page for every client route, and its files with the compression that was made at build time. Names in
 * `assets/` hold a hash of their content, so browsers keep them for ever; the page itself is asked for each time (ETag).
 *
 * @param folder what `npm run build` makes; may appear later, until then a page says how to make it
 */
export async function dashboardRoutes(app: Server, folder: string): Promise<void> {
  const page = join(folder, 'index.html');
  await app.register(fastifyStatic, {
    root: folder,
    serve: false,
    preCompressed: true,
    // The folder may not be there yet.
    suppressWarning: true,
  });
  for (const path of clientPaths) {
    app.get(path, open, (_request, reply) => {
      if (!existsSync(page)) return sendNotBuilt(reply);
      return varied(reply).header('cache-control', 'no-cache').sendFile('index.html', { cacheControl: false });
    });
  }
  app.get('/assets/:file', open, (request, reply) => {
    const { file } = request.params as { file: string };
    if (!fileName.test(file) || !existsSync(join(folder, 'assets', file))) throw noSuchFile();
    return varied(reply).sendFile(join('assets', file), { immutable: true, maxAge: '365d' });
  });
  app.get('/favicon.svg', open, (_request, reply) => {
    if (!existsSync(join(folder, 'favicon.svg'))) throw noSuchFile();
    return varied(reply).sendFile('favicon.svg', { maxAge: '1d' });
  });
}

function noSuchFile(): ServiceError {
  return new ServiceError('not_found', 'There is no such file of the dashboard; load the page again.');
}

/** A shared cache must keep the compressed and the plain form apart. */
function varied(reply: FastifyReply): FastifyReply {
  return reply.header('vary', 'accept-encoding');
}

function sendNotBuilt(reply: FastifyReply): FastifyReply {
  return reply.code(503).header('cache-control', 'no-store').type('text/html; charset=utf-8').send(notBuiltPage);
}
