// The denominators of the prompt figure, a bare Fastify route that returns the bytes of the file given as argument, and of the figure of guardrail checks, a
// route that parses a JSON body and returns it.
import Fastify from 'fastify';
import { readFileSync } from 'node:fs';

const file = process.argv[2];
const body = file === undefined ? '' : readFileSync(file);
const app = Fastify();
app.get('/', (_request, reply) => reply.type('application/json; charset=utf-8').send(body));
app.post('/', (request, reply) => reply.send(request.body));
await app.listen({ host: '127.0.0.1', port: 0 });
console.log(`listening on ${app.server.address().port}`);
process.on('disconnect', () => process.exit(0));
