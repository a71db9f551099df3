// Signs in over many connections at a time with ever new emails, each from an address of its own, until standard input ends. Prints a line at the first answer, and at the
// end how often each status was answered, as JSON. Arguments: the URL of the service and the number of connections.
import { Agent, request } from 'node:http';

const [url = '', connections = '1'] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true, maxSockets: Number(connections) });
const statuses: Record<string, number> = {};
let sent = 0;
let ended = false;

function signIn(): Promise<void> {
  const number = ++sent;
  const body = JSON.stringify({ email: `new${number}@example.com`, password: 'wrong' });
  const headers = {
    'content-type': 'application/json',
    'content-length': body.length,
    'x-forwarded-for': `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`,
  };
  const { promise, resolve } = Promise.withResolvers<void>();
  const count = (status: string) => {
    if (Object.keys(statuses).length === 0) process.stdout.write('begun\n');
    statuses[status] = (statuses[status] ?? 0) + 1;
    resolve();
  };
  const sending = request(`${url}/v1/auth/login`, { method: 'POST', agent, headers }, (answer) => {
    answer.resume().on('end', () => count(String(answer.statusCode)));
  });
  sending.on('error', () => count('none')).end(body);
  return promise;
}

process.stdin.resume().on('end', () => {
  ended = true;
  process.stdout.write(JSON.stringify(statuses), () => process.exit(0));
});
await Promise.all(
  Array.from({ length: Number(connections) }, async () => {
    while (!ended) await signIn();
  }),
);
