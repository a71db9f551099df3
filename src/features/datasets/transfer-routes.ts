import type { Readable } from 'node:stream';
import { z } from 'zod';
import * as wire from '../../contract/datasets.ts';
import { ServiceError } from '../../contract/errors.ts';
import { actingOf, jsonType, mediaTypeOf, refuseCompressed, route } from '../../platform/http/index.ts';
import type { Server } from '../../platform/http/index.ts';
import type { DatasetsContext } from './datasets-context.ts';
import { exportFormats, exportItems } from './export-items.ts';
import { importItems, importTypes, previewImport } from './import-items.ts';
import { inDataset, reading, writing } from './route-access.ts';

const tags = ['datasets'];
/** Maximum concurrent imports. */
const maxImports = 4;

/** Routes to import and export datasets as files. */
export function transferRoutes(app: Server, context: DatasetsContext): void {
  const resource = inDataset(context);
  route(app, 'GET', '/v1/datasets/:datasetId/export', {
    ...reading,
    resource,
    tags,
    summary: 'All items as JSONL or CSV',
    params: wire.datasetParams,
    query: wire.exportQuery,
    produces: ['application/x-ndjson', 'text/csv'],
    answer: z.string().describe('a file that an import reads as the same items'),
    handle: async (request, reply) => {
      const { datasetId } = request.params;
      const format = exportFormats[request.query.format];
      const file = await exportItems(context, datasetId, format);
      return reply
        .type(format.contentType)
        .header('content-disposition', `attachment; filename="dataset-${datasetId.toLowerCase()}.${request.query.format}"`)
        .send(file as never);
    },
  });
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
  route(app, 'POST', '/v1/datasets/:datasetId/import', {
    ...writing,
    resource: inDataset(context),
    ownBody: z.string().describe('the file'),
    tags,
    summary: 'Add the items of a file, all or nothing',
    description:
      'JSONL: each line an object with input, and perhaps expectedOutput, metadata and externalId. CSV: a header with these columns, or with those that columns names; commas, semicolons or tabs, in UTF-8, UTF-16 or Windows-1252; a cell that is JSON is read as JSON, any other as text. A row whose externalId the dataset has updates that item. At most 64 MiB and 100,000 items. With a session, projectId stands in the query.',
    consumes: [...importTypes.keys()],
    params: wire.datasetParams,
    query: wire.importQuery,
    answer: [201, wire.imported],
    also: { 200: wire.importPreview, 400: wire.importRefusal },
    errors: [409, 413, 415, 503],
    handle: async (request, reply) => {
      const { columns, dryRun, format = importTypes.get(mediaTypeOf(request)) } = request.query;
      if (!format) {
        throw new ServiceError(
          'unsupported_media_type',
          'Send the file with content-type application/x-ndjson (JSONL) or text/csv, or name its format in the query.',
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
        const file = { file: request.body as Readable, format, columns };
        if (dryRun) {
          const preview = await previewImport(context, file);
          return await reply
            .code(200)
            .type(jsonType)
            .send(preview as never);
        }
        const answer = await importItems(context, actingOf(request), request.params.datasetId.toLowerCase(), file);
        return await reply.send(answer);
      } finally {
        running -= 1;
      }
    },
  });
}
