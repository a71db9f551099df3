// Takes whatever is sent and answers as an ingestion endpoint does: the other side of the figures of the SDK, in a process of its own.
import { createServer } from 'node:http';

const server = createServer((request, response) => {
  request.resume().on('end', () => {
    const isOtlp = request.url === '/v1/traces';
    response.writeHead(isOtlp ? 200 : 202, { 'content-type': isOtlp ? 'application/x-protobuf' : 'application/json' });
    response.end(isOtlp ? '' : '{"accepted":100,"rejected":[]}');
  });
});
server.listen(0, '127.0.0.1', () => console.log(`listening on ${server.address().port}`));
process.on('disconnect', () => process.exit(0));
