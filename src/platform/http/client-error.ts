import type { Socket } from 'node:net';
import { v7 as uuidv7 } from 'uuid';
import { jsonType } from './media-types.ts';

/**
 * Answers bytes that Node could not parse as a request (its `clientError`). Fastify is not involved then, so the error response (docs/semantics.md,
 * "Errors") is written to the socket.
 */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  // The client has closed the connection.
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  if (socket.writable) socket.write(refusal(sentenceFor(error.code)));
  socket.destroy(error);
}

function sentenceFor(code: string | undefined): string {
  if (code === 'HPE_HEADER_OVERFLOW') return 'The path or the headers are too long; send less than 64 KiB of them.';
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'The request took too long to arrive; send it again.';
  return 'This is not a valid HTTP/1.1 request; correct its first line and headers.';
}

function refusal(error: string): string {
  const body = JSON.stringify({ error, code: 'invalid_request' });
  const headers = [
    'HTTP/1.1 400 Bad Request',
    `x-request-id: ${uuidv7()}`,
    `content-type: ${jsonType}`,
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ];
  return `${headers.join('\r\n')}\r\n\r\n${body}`;
}
