import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyReply } from 'fastify';
import type { Access, Server } from '../../platform/http/index.ts';
import { notBuiltPage } from './not-built-page.ts';

/** Paths that the dashboard's own router answers; everything else keeps its JSON 404. */
const clientPaths = ['/', '/sign-in', '/o/*'] as const;

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
  app.get('/assets/*', open, (request, reply) =>
    varied(reply).sendFile(join('assets', (request.params as { '*': string })['*']), { immutable: true, maxAge: '365d' }),
  );
  app.get('/favicon.svg', open, (_request, reply) => varied(reply).sendFile('favicon.svg', { maxAge: '1d' }));
}

/** A shared cache must keep the compressed and the plain form apart. */
function varied(reply: FastifyReply): FastifyReply {
  return reply.header('vary', 'accept-encoding');
}

function sendNotBuilt(reply: FastifyReply): FastifyReply {
  return reply.code(503).header('cache-control', 'no-store').type('text/html; charset=utf-8').send(notBuiltPage);
}
