/**
 * Frees the memory of bytes that nobody looks at any more, now. Left to the garbage collector, the bytes of a few hundred requests are many times
 * what it takes to make it look through everything else, over and over.
 *
 * Nothing is done to bytes in the pool of `Buffer`, which others share.
 */
export function giveBack({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength > Buffer.poolSize) buffer.transfer(0);
}
