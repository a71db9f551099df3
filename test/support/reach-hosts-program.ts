// Runs in a network namespace of its own, in which this machine has every address that is tested: with the client of HTTP targets as it is in the service, it
// requests each URL in the first argument (a JSON array) and prints what came of it. Node resolves literal addresses only, there is no name server.
import { createServer } from 'node:http';
import { HttpClient } from '../../src/platform/net/index.ts';

const [, , urls = '[]'] = process.argv;
const port = 80;
let reached = 0;
const server = createServer((_request, response) => {
  reached += 1;
  response.end('reached');
});
await new Promise<void>((resolve) => void server.listen({ port, host: '::', ipv6Only: false }, resolve));
const http = new HttpClient({ addresses: 'public-only' });
const results: Array<[url: string, outcome: string]> = [];
for (const url of JSON.parse(urls) as string[]) {
  const request = { url, method: 'POST', timeoutMs: 2_000, maxResponseBytes: 1_000, maxRedirects: 0 } as const;
  const outcome = await http.request(request).then(
    ({ body }) => body.toString(),
    (error: { kind?: string }) => String(error.kind),
  );
  results.push([url, outcome]);
}
// The other way round: without the policy they are reachable.
const direct = await fetch('http://127.0.0.1/').then((answer) => answer.text());
await http.close();
server.closeAllConnections();
server.close();
process.stdout.write(JSON.stringify({ results, reached, direct }));
