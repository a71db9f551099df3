import { connect } from 'node:net';
import type { Socket } from 'node:net';

/**
 * Asks for the same thing again and again over a few connections for some time, one request a connection at a time. Reads answers by
 * counting their bytes, so that the load costs little beside what it measures: all must be as long as the first.
 *
 * @returns answers a second
 */
export async function getLoad(url: string, headers: Record<string, string>, seconds: number, connections = 16): Promise<number> {
  const { hostname, port, pathname, search } = new URL(url);
  const lines = [
    `GET ${pathname}${search} HTTP/1.1`,
    `host: ${hostname}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  const request = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`);
  const until = performance.now() + seconds * 1000;
  const started = performance.now();
  const counts = await Promise.all(
    Array.from({ length: connections }, () => askUntil(connect(Number(port), hostname), request, until)),
  );
  return counts.reduce((total, count) => total + count, 0) / ((performance.now() - started) / 1000);
}

function askUntil(socket: Socket, request: Buffer, until: number): Promise<number> {
  let answers = 0;
  let length: number | null = null;
  let received = Buffer.alloc(0);
  let bytes = 0;
  return new Promise((resolve, reject) => {
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('the server closed a connection under load')));
    socket.on('data', (chunk) => {
      bytes += chunk.length;
      if (length === null) {
        received = Buffer.concat([received, chunk]);
        length = answerLength(received);
      }
      if (length === null || bytes < length) return;
      if (bytes > length) reject(new Error('an answer was longer than the first'));
      bytes = 0;
      answers += 1;
      if (performance.now() < until) {
        socket.write(request);
        return;
      }
      socket.removeAllListeners('close');
      socket.destroy();
      resolve(answers);
    });
    socket.write(request);
  });
}

/** Of head and body; null while the head is not whole. */
function answerLength(received: Buffer): number | null {
  const end = received.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const head = received.toString('latin1', 0, end);
  if (!head.startsWith('HTTP/1.1 200 ')) throw new Error(`the server answered: ${head.split('\r\n', 1)[0]}`);
  return end + 4 + Number(/content-length: (\d+)/i.exec(head)?.[1]);
}
