import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { defaultLimit, pageLimit } from '../../contract/common.ts';
import { mostLines } from '../../contract/limits.ts';
import { accepts, validated } from '../../platform/http/index.ts';
import { jsonStream } from '../../platform/json/index.ts';

/** Media types of lists that are also streamed as lines. */
export const pageOrLines: readonly string[] = ['application/json', 'application/x-ndjson'];

/** Records of one read: in the order of time a list is read in parts, in another one each read sorts all of it. */
const readInTime = 1_000;
const readSorted = 5_000;

/** Whether a request asks for one record a line instead of a page. */
export function wantsLines(request: FastifyRequest): boolean {
  return accepts(request, 'application/x-ndjson');
}

/** The limit of a page. Errors: `invalid_request` for more than a page may have. */
export function limitOfPage(limit: number | undefined): number {
  if (limit === undefined) return defaultLimit;
  return validated(z.object({ limit: pageLimit }), { limit }, 'querystring').limit;
}

/**
 * Streams the records of a list, one as JSON a line. A part is read when the client has taken the one before, so that few are in memory; a client that goes
 * ends the reading.
 */
export async function sendLines(
  reply: FastifyReply,
  { limit = mostLines, cursor, sort }: { limit?: number | undefined; cursor?: string | undefined; sort: string },
  read: (page: {
    limit: number;
    cursor: string | undefined;
  }) => Promise<{ records: readonly unknown[]; nextCursor: string | null }>,
): Promise<FastifyReply> {
  const atOnce = sort === '-startTime' || sort === 'startTime' ? readInTime : readSorted;
  const lines = async function* () {
    let after = cursor;
    for (let left = limit; left > 0;) {
      const { records, nextCursor } = await read({ limit: Math.min(left, atOnce), cursor: after });
      if (records.length > 0) yield `${records.map((record) => JSON.stringify(record)).join('\n')}\n`;
      if (nextCursor === null) return;
      left -= records.length;
      after = nextCursor;
    }
  };
  const stream = await jsonStream(lines());
  return reply.type('application/x-ndjson; charset=utf-8').header('vary', 'accept').send(stream);
}
