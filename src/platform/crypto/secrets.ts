import { hash, timingSafeEqual } from 'node:crypto';

/** What is stored of a secret that was made from enough randomness: its SHA-256, 32 bytes. */
export function hashSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

/** As {@link hashSecret}, as a text in base64: what a secret is remembered by, made without a buffer. */
export function secretName(secret: string): string {
  return hash('sha256', secret, 'base64');
}

/** Compares two hashes in constant time. */
export function sameHash(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && timingSafeEqual(left, right);
}
