// The denominator of the prompt figure: a bare Fastify route that returns the bytes of the file given as argument.
import Fastify from 'fastify';
import { readFileSync } from 'node:fs';

const body = readFileSync(process.argv[2] ?? '');
const app = Fastify();
app.get('/', (_request, reply) => reply.type('application/json; charset=utf-8').send(body));
await app.listen({ host: '127.0.0.1', port: 0 });
console.log(`listening on ${app.server.address().port}`);
process.on('disconnect', () => process.exit(0));
