import compress from '@fastify/compress';
import type { FastifyInstance } from 'fastify';

/** Bytes; a smaller answer fits into one packet without compression. */
const fromBytes = 1024;

/**
 * Compresses the answers of reads in a project: a list or a trace can have megabytes. Answers of ingestion are not compressed: they are small
 * and frequent. No compressed answer contains a secret.
 */
export async function compressAnswers(app: FastifyInstance): Promise<void> {
  app.addHook('onRoute', (route) => {
    if (route.method === 'GET' && route.url.startsWith('/v1/projects/')) {
      route.compress = { encodings: ['gzip'], threshold: fromBytes };
    }
  });
  await app.register(compress, { global: false, globalDecompression: false });
}
