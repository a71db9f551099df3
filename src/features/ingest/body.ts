import type { Readable } from 'node:stream';
import { GatheredBytes } from '../../platform/http/index.ts';

/**
 * Reads a request's body; null when it is too large. The rest of a body that is too large is read and discarded: a client whose connection is
 * closed while it sends may lose the answer.
 *
 * @param contentLength the header's value
 * @param maxBytes of the body as sent
 * @param hold reserves memory for further bytes; its error ends the reading
 * Errors: when the connection is closed before the body ends; those of `hold`.
 */
export function readBody(
  payload: Readable,
  contentLength: string | undefined,
  maxBytes: number,
  hold: (bytes: number) => void,
): Promise<Buffer | null> {
  if (Number(contentLength) > maxBytes) return Promise.resolve(null);
  return new Promise((resolve, reject) => {
    const closed = () => reject(new Error('the connection was closed'));
    // A stream that is destroyed already emits nothing more.
    if (payload.destroyed) return closed();
    const gathered = new GatheredBytes();
    let isRefused = false;
    payload.on('data', (piece: Buffer) => {
      if (isRefused) return;
      try {
        if (gathered.length + piece.length <= maxBytes) {
          hold(piece.length);
          gathered.add(piece);
          return;
        }
        resolve(null);
      } catch (error) {
        reject(error as Error);
      }
      isRefused = true;
      gathered.clear();
    });
    payload.on('end', () => resolve(gathered.take()));
    payload.on('error', reject);
    payload.on('close', () => {
      if (!payload.readableEnded) closed();
    });
  });
}
