import { createHash } from 'node:crypto';
import type { EvidencePack } from '../../../contract/evidence-packs.ts';
import { canonicalJson } from '../../../platform/json/index.ts';

/** What is signed: a pack without its seal. */
export type PackContent = Omit<EvidencePack, 'sha256' | 'signature' | 'publicKey'>;

/**
 * The SHA-256, hexadecimal, over the canonical form of a pack without `sha256`, `signature` and `publicKey` (docs/evidence-format.md).
 *
 * @param pack with or without the three; other members that a pack does not have count too
 */
export function packHash(pack: Readonly<Record<string, unknown>> | PackContent): string {
  const { sha256: _hash, signature: _signature, publicKey: _key, ...content } = pack as Record<string, unknown>;
  return createHash('sha256').update(canonicalJson(content)).digest('hex');
}
