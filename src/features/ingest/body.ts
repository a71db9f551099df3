import type { Readable } from 'node:stream';
import { ServiceError } from '../../contract/errors.ts';
import { GatheredBytes } from '../../platform/http/index.ts';

/** Maximum bytes of a body as sent and inflated (docs/semantics.md, "Body limits"). */
export const maxWireBytes = 1_048_576;
export const maxInflatedBytes = 16 * 1_048_576;

/**
 * Reads a request's body; null when it is too large. The rest of a body that is too large is read and discarded: a client whose connection is
 * closed while it sends may lose the answer.
 *
 * @param contentLength the header's value
 * @param hold reserves memory for further bytes; its error ends the reading
 * Errors: when the connection is closed before the body ends; those of `hold`.
 */
export function readBody(
  payload: Readable,
  contentLength: string | undefined,
  hold: (bytes: number) => void,
): Promise<Buffer | null> {
  if (Number(contentLength) > maxWireBytes) return Promise.resolve(null);
  return new Promise((resolve, reject) => {
    const closed = () => reject(new Error('the connection was closed'));
    // A stream that is destroyed already emits nothing more.
    if (payload.destroyed) return closed();
    const gathered = new GatheredBytes();
    let isRefused = false;
    payload.on('data', (piece: Buffer) => {
      if (isRefused) return;
      try {
        if (gathered.length + piece.length <= maxWireBytes) {
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

/** The error for a body above a limit. */
export function tooLarge(measured: 'inflated' | 'sent'): ServiceError {
  return new ServiceError(
    'payload_too_large',
    measured === 'sent'
      ? 'The body has more than 1 MiB: compress it (content-encoding: gzip), shorten long inputs and outputs, or divide the events between requests.'
      : 'The body inflates to more than 16 MiB: shorten long inputs and outputs, or divide the events between requests.',
  );
}
