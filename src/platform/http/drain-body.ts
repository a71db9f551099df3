import type { IncomingMessage } from 'node:http';

/** Bytes of a refused body that are read, and thrown away. */
const maxBytes = 32 * 1_048_576;

/**
 * Reads what is left of a request's body. A connection that is closed with unread bytes is reset, and the client, which still sends, does not see the
 * answer. Resolves at the end of the body, at the end of the connection, and after 32 MiB; at once for a body that is announced to be longer.
 */
export function drainBody(request: IncomingMessage): Promise<void> {
  if (request.readableEnded || request.destroyed || Number(request.headers['content-length'] ?? 0) > maxBytes)
    return Promise.resolve();
  return new Promise((resolve) => {
    let left = maxBytes;
    const onData = (chunk: Buffer) => {
      left -= chunk.length;
      if (left < 0) finish();
    };
    const finish = () => {
      request.off('data', onData).pause();
      for (const event of ['end', 'close', 'error']) request.off(event, finish);
      resolve();
    };
    for (const event of ['end', 'close', 'error']) request.on(event, finish);
    request.on('data', onData);
  });
}
