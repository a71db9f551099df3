import type { Readable } from 'node:stream';
import { z } from 'zod';
import { errorBody, projectIdQuery } from '../../contract/common.ts';
import * as wire from '../../contract/datasets.ts';
import { ServiceError } from '../../contract/errors.ts';
import { mediaTypeOf, refuseCompressed } from '../../platform/http/index.ts';
import type { Server } from '../../platform/http/index.ts';
import type { DatasetsContext } from './datasets-context.ts';
import { exportFormats, exportItems } from './export-items.ts';
import { importItems, importTypes } from './import-items.ts';
import { inDataset, reading, writing } from './route-access.ts';

const tags = ['datasets'];
const refusals = { 401: errorBody, 403: errorBody, 404: errorBody };
/** Maximum concurrent imports. */
const maxImports = 4;

/** Routes to import and export datasets as files. */
export function transferRoutes(app: Server, context: DatasetsContext): void {
  const resource = inDataset(context);
  app.get(
    '/v1/datasets/:datasetId/export',
    {
      config: { ...reading, resource },
      schema: {
        tags,
        summary: 'All items as JSONL or CSV',
        params: wire.datasetParams,
        querystring: wire.exportQuery,
        produces: ['application/x-ndjson', 'text/csv'],
        response: { 200: z.string().describe('a file that an import reads as the same items'), 400: errorBody, ...refusals },
      },
    },
    async (request, reply) => {
      const { datasetId } = request.params;
      const format = exportFormats[request.query.format];
      const file = await exportItems(context, datasetId, format);
      return reply
        .type(format.contentType)
        .header('content-disposition', `attachment; filename="dataset-${datasetId.toLowerCase()}.${request.query.format}"`)
        .send(file as never);
    },
  );
  void app.register((scope: Server, _options, done) => {
    // Pass bodies of any type as streams; the route checks the content type.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, payload, parsed) => parsed(null, payload));
    importRoute(scope, context);
    done();
  });
}

function importRoute(app: Server, context: DatasetsContext): void {
  let running = 0;
  app.post(
    '/v1/datasets/:datasetId/import',
    {
      config: { ...writing, resource: inDataset(context), ownBody: z.string().describe('the file') },
      schema: {
        tags,
        summary: 'Add the items of a file, all or nothing',
        description:
          'JSONL: each line an object with input, and perhaps expectedOutput and metadata. CSV: a header with these columns; a cell that is JSON is read as JSON, any other as text. At most 64 MiB and 100,000 items. With a session, projectId stands in the query.',
        consumes: [...importTypes.keys()],
        params: wire.datasetParams,
        querystring: projectIdQuery,
        response: {
          201: wire.imported,
          400: wire.importRefusal,
          ...refusals,
          409: errorBody,
          413: errorBody,
          415: errorBody,
          503: errorBody,
        },
      },
    },
    async (request, reply) => {
      const rowsOf = importTypes.get(mediaTypeOf(request));
      if (!rowsOf) {
        throw new ServiceError(
          'unsupported_media_type',
          'Send the file with content-type application/x-ndjson (JSONL) or text/csv.',
        );
      }
      refuseCompressed(request);
      if (running >= maxImports) {
        throw new ServiceError('unavailable', `The service reads ${maxImports} imports already; send this again in a moment.`, {
          retryAfterSeconds: 5,
        });
      }
      running += 1;
      try {
        const answer = await importItems(context, request.params.datasetId.toLowerCase(), request.body as Readable, rowsOf);
        return await reply.code(201).send(answer);
      } finally {
        running -= 1;
      }
    },
  );
}
