import type { PackCheck } from '../../../contract/evidence-packs.ts';
import { cutText } from '../../../platform/text/index.ts';
import { isSignedBy } from './ed25519.ts';
import { packHash } from './pack-hash.ts';
import type { ReadPack } from './read-pack.ts';

/** Characters of what should be a hash. */
const maxShown = 81;
const hexDigest = /^[0-9a-f]{64}$/;

/** Whether the content of a pack has the hash that the pack states. */
export function checkContentHash({ pack, fault }: ReadPack): PackCheck {
  const name = 'content_hash';
  if (fault !== null) return { name, ok: false, detail: `The pack was changed: ${fault}.` };
  let actual: string;
  try {
    actual = packHash(pack);
  } catch {
    return { name, ok: false, detail: 'The pack was changed: it holds an unpaired surrogate, of which RFC 8785 has no form.' };
  }
  const { sha256 } = pack;
  if (typeof sha256 !== 'string') return { name, ok: false, detail: `The pack states no sha256; its content has ${actual}.` };
  return actual === sha256
    ? { name, ok: true, detail: `The content has the SHA-256 that the pack states, ${actual}.` }
    : {
        name,
        ok: false,
        detail: `The content has the SHA-256 ${actual}, and the pack states ${cutText(sha256, maxShown, '…')}: the content or the hash was changed.`,
      };
}

/** Whether the stated hash is signed with the key in the pack. Whose key that is, is another check. */
export function checkSignature({ pack: { sha256, signature, publicKey } }: ReadPack): PackCheck {
  const name = 'signature';
  for (const [field, value] of Object.entries({ sha256, signature, publicKey }))
    if (typeof value !== 'string') return { name, ok: false, detail: `The pack has no ${field}.` };
  if (!hexDigest.test(sha256 as string)) return { name, ok: false, detail: 'The stated sha256 is no SHA-256.' };
  return isSignedBy(Buffer.from(sha256 as string, 'hex'), signature as string, publicKey as string)
    ? { name, ok: true, detail: 'The stated SHA-256 is signed with the key in the pack.' }
    : {
        name,
        ok: false,
        detail: 'The signature does not fit the stated SHA-256 and the key in the pack: one of the three was changed.',
      };
}

/** Whether the key in a pack is a given one. @param owner the start of the sentence, such as `this installation's key` */
export function checkKey({ pack: { publicKey } }: ReadPack, expected: string | null, owner: string): PackCheck {
  const name = 'key';
  if (expected === null) return { name, ok: false, detail: `There is no key to compare with: ${owner} was never made.` };
  return publicKey === expected
    ? { name, ok: true, detail: `The key in the pack is ${owner}.` }
    : { name, ok: false, detail: `The key in the pack is not ${owner}: somebody else signed the pack, or the key was replaced.` };
}
