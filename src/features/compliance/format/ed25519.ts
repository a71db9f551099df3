import { createPublicKey, sign, verify } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

/** Bytes of a raw public key and of a signature. */
const keyBytes = 32;
const signatureBytes = 64;

/** Signs with an Ed25519 key. @returns base64 */
export function signBytes(bytes: Uint8Array, privateKey: KeyObject): string {
  return sign(null, bytes, privateKey).toString('base64');
}

/**
 * Whether an Ed25519 signature is valid. Both texts must be base64 as it is written here: another spelling of the same bytes is refused, so that every
 * change of a text is noticed.
 *
 * @param signature base64
 * @param publicKey base64 of the raw key
 */
export function isSignedBy(bytes: Uint8Array, signature: string, publicKey: string): boolean {
  const [signatureRaw, keyRaw] = [bytesOf(signature, signatureBytes), bytesOf(publicKey, keyBytes)];
  if (!signatureRaw || !keyRaw) return false;
  try {
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: keyRaw.toString('base64url') }, format: 'jwk' });
    return verify(null, bytes, key, signatureRaw);
  } catch {
    // The bytes are no point of the curve.
    return false;
  }
}

/** The raw public key of a key pair, base64. */
export function rawPublicKey(key: KeyObject): string {
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' });
  return Buffer.from(x, 'base64url').toString('base64');
}

/** The bytes of a base64 text; null unless there are so many, in the usual spelling. */
function bytesOf(text: string, length: number): Buffer | null {
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === length && bytes.toString('base64') === text ? bytes : null;
}
