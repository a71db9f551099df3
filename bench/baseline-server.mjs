// The denominator of the ingestion figures: a bare Node server that gunzips bodies, decodes them with protobufjs and stores nothing.
import { createServer } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { traceRequestType } from './trace-request-type.ts';

const server = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const body = Buffer.concat(chunks);
    const plain = request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body;
    const decoded = traceRequestType.decode(plain);
    response.setHeader('content-type', 'application/x-protobuf');
    response.end(decoded.resourceSpans.length > 0 ? '' : 'x');
  });
});
server.listen(0, '127.0.0.1', () => console.log(`listening on ${server.address().port}`));
process.on('disconnect', () => process.exit(0));
