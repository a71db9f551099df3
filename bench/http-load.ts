import { connect } from 'node:net';

/** The bytes of an HTTP/1.1 request. They are made before the measurement, so that sending costs little CPU. */
export function requestBytes(method: 'GET' | 'POST', url: string, headers: Record<string, string>, body?: Uint8Array): Buffer {
  const { host, pathname, search } = new URL(url);
  const lines = [
    `${method} ${pathname}${search} HTTP/1.1`,
    `host: ${host}`,
    ...(body ? [`content-length: ${body.length}`] : []),
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), body ?? Buffer.alloc(0)]);
}

/** Repeats one request until some seconds have passed. */
export function* repeatedFor(seconds: number, request: Buffer): Generator<Buffer, void> {
  for (const until = performance.now() + seconds * 1000; performance.now() < until;) yield request;
}

/**
 * Sends all requests over some connections, one at a time on each.
 *
 * @returns requests a second with the status 200 or 202, and the number of requests with another one
 */
export async function httpLoad(
  url: string,
  requests: Iterable<Buffer>,
  connections: number,
): Promise<{ perSecond: number; refused: number }> {
  const queue = requests[Symbol.iterator]();
  const started = performance.now();
  const counts = await Promise.all(Array.from({ length: connections }, () => sendAll(url, queue)));
  const accepted = counts.reduce((sum, count) => sum + count.accepted, 0);
  const refused = counts.reduce((sum, count) => sum + count.refused, 0);
  return { perSecond: accepted / ((performance.now() - started) / 1000), refused };
}

/** Sends requests of the queue over one connection, until the queue is empty. */
function sendAll(url: string, queue: Iterator<Buffer>): Promise<{ accepted: number; refused: number }> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.setNoDelay(true);
  const counts = { accepted: 0, refused: 0 };
  let received = Buffer.alloc(0);
  return new Promise((resolve, reject) => {
    const next = () => {
      const request = queue.next();
      if (!request.done) {
        socket.write(request.value);
        return;
      }
      socket.removeAllListeners('close').destroy();
      resolve(counts);
    };
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('the server closed a connection under load')));
    socket.on('data', (chunk) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
      const end = received.indexOf('\r\n\r\n');
      if (end < 0) return;
      const head = received.toString('latin1', 0, end);
      if (received.length < end + 4 + Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)) return;
      counts[/^HTTP\/1.1 20[02] /.test(head) ? 'accepted' : 'refused'] += 1;
      received = Buffer.alloc(0);
      next();
    });
    next();
  });
}
