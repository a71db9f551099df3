import { hash, timingSafeEqual } from 'node:crypto';

/** What is stored of a secret that was made from enough randomness: its SHA-256, 32 bytes. */
export function hashSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

/** Compares two hashes in constant time. */
export function sameHash(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && timingSafeEqual(left, right);
}
