import type { Readable } from 'node:stream';
import { ServiceError } from '../../contract/errors.ts';

/** Contract section 3: at most 1 MB on the wire and 16 MB inflated. */
export const mostWireBytes = 1_048_576;
export const mostInflatedBytes = 16 * 1_048_576;

/**
 * Reads a request's body, null when it is too large. What is too large is not kept, but the server goes on taking it off the
 * connection: one that is closed while the client still sends may cost the client the answer.
 * @param contentLength the header, as it came
 */
export function readBody(payload: Readable, contentLength: string | undefined): Promise<Buffer | null> {
  if (Number(contentLength) > mostWireBytes) return Promise.resolve(null);
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = [];
    let total = 0;
    payload.on('data', (chunk: Buffer) => {
      total += chunk.length;
      if (total <= mostWireBytes) {
        chunks.push(chunk);
        return;
      }
      chunks = [];
      resolve(null);
    });
    payload.on('end', () => resolve(Buffer.concat(chunks)));
    payload.on('error', reject);
  });
}

/** The refusal of a body past one of the limits. */
export function tooLarge(measured: 'inflated' | 'sent'): ServiceError {
  return new ServiceError(
    'payload_too_large',
    measured === 'sent'
      ? 'The body has more than 1 MB; send fewer events in one request.'
      : 'The body inflates to more than 16 MB; send fewer events in one request.',
  );
}
