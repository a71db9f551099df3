/**
 * Frees the memory of unused bytes immediately. Waiting for the garbage collector would make the bytes of a few hundred requests trigger full collections again and again.
 *
 * Bytes in the pool of `Buffer` are shared and left alone.
 */
export function releaseBuffer({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength > Buffer.poolSize) buffer.transfer(0);
}
