import { hash, timingSafeEqual } from 'node:crypto';

/** The stored form of a random secret: its SHA-256, 32 bytes. */
export function hashSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

/** {@link hashSecret} in base64; a cache key that needs no buffer. */
export function secretName(secret: string): string {
  return hash('sha256', secret, 'base64');
}

/** Compares two hashes in constant time. */
export function sameHash(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && timingSafeEqual(left, right);
}
