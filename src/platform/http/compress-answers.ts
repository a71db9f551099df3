import compress from '@fastify/compress';
import type { FastifyInstance } from 'fastify';

/** A smaller answer goes into one packet anyhow. */
const fromBytes = 1024;

/**
 * Compresses what projects are read with: a list or a trace can have megabytes. Answers to ingestion stay as they are, since exporters
 * compare them whole and there are many; so do those with a secret in them, which are none of these.
 */
export async function compressAnswers(app: FastifyInstance): Promise<void> {
  app.addHook('onRoute', (route) => {
    if (route.method === 'GET' && route.url.startsWith('/v1/projects/')) {
      route.compress = { encodings: ['gzip'], threshold: fromBytes };
    }
  });
  await app.register(compress, { global: false, globalDecompression: false });
}
