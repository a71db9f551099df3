import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What happens to a request: it passes, is cut before or after the service has it, arrives twice, is answered with a status, or arrives when nobody waits. */
export type ProxyFault = 'none' | 'cut-before' | 'cut-after' | 'twice' | 'late' | 429 | 500 | 503;

export interface FaultyProxy {
  url: string;
  /** Of the next requests; then there are none. */
  faults: ProxyFault[];
  /** Faults that requests had. */
  readonly seen: ReadonlySet<ProxyFault>;
  /** Resolves when the requests that are late have arrived. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

/** A proxy on 127.0.0.1 in front of a service; each request gets the given fault. */
export async function startFaultyProxy(target: string): Promise<FaultyProxy> {
  const seen = new Set<ProxyFault>();
  const late: Promise<unknown>[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const { host: _, connection: __, 'content-length': ___, 'transfer-encoding': ____, ...headers } = request.headers;
    const forward = () => {
      const sent = body.length > 0 ? { body } : {};
      return fetch(`${target}${request.url}`, {
        method: request.method ?? '',
        headers: headers as Record<string, string>,
        ...sent,
      });
    };
    const fault = proxy.faults.shift() ?? 'none';
    seen.add(fault);
    if (typeof fault === 'number') {
      response.writeHead(fault, fault === 500 ? {} : { 'retry-after': '1' }).end('{"error":"Not now."}');
    } else if (fault === 'cut-before') response.destroy();
    else if (fault === 'late') {
      // The client gives up first.
      response.on('close', () => late.push(forward()));
    } else {
      if (fault === 'twice') await forward();
      await answer(await forward(), fault, response);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const proxy: FaultyProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    faults: [],
    seen,
    settled: async () => void (await Promise.all(late)),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return proxy;
}

async function answer(from: Response, fault: ProxyFault, response: ServerResponse): Promise<void> {
  const body = Buffer.from(await from.arrayBuffer());
  if (fault === 'cut-after') response.destroy();
  else response.writeHead(from.status, { 'content-type': 'application/json' }).end(body);
}
