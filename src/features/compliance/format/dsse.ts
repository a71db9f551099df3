import type { EvidencePack } from '../../../contract/evidence-packs.ts';
import { holdsMoreValues } from '../../../platform/json/index.ts';
import { isSignedBy } from './ed25519.ts';
import { maxValues } from './read-pack.ts';
import { canonicalJson } from '../../../platform/json/index.ts';

/** Names of the in-toto attestation framework. */
const payloadType = 'application/vnd.in-toto+json';
const statementType = 'https://in-toto.io/Statement/v1';
/** Names the format of the predicate. */
const predicateType = 'urn:spanwise:evidence-pack:v1';

/** A DSSE envelope, JSON. */
export interface Envelope {
  payloadType: string;
  /** Base64 of the payload. */
  payload: string;
  signatures: Array<{ keyid: string; sig: string }>;
}

/** DSSE's pre-authentication encoding: what is signed. */
export function preAuthEncoding(type: string, payload: Uint8Array): Buffer {
  const head = `DSSEv1 ${Buffer.byteLength(type)} ${type} ${payload.length} `;
  return Buffer.concat([Buffer.from(head), payload]);
}

/**
 * A pack as the predicate of an in-toto Statement v1, in a DSSE envelope. The subject is the pack's content, by its `sha256`.
 *
 * @param sign returns an Ed25519 signature, base64
 */
export function envelopeOf(pack: EvidencePack, sign: (bytes: Uint8Array) => string): Envelope {
  const statement = {
    _type: statementType,
    subject: [{ name: `evidence-pack/${pack.id}`, digest: { sha256: pack.sha256 } }],
    predicateType,
    predicate: pack,
  };
  const payload = Buffer.from(canonicalJson(statement));
  const sig = sign(preAuthEncoding(payloadType, payload));
  return { payloadType, payload: payload.toString('base64'), signatures: [{ keyid: pack.publicKey, sig }] };
}

/** A pack that was downloaded in an envelope. */
export interface EnvelopedPack {
  /** JSON. */
  pack: Buffer;
  /** Whether the envelope is signed with the key in the pack. */
  signed: boolean;
}

/** Values of an envelope; a pack has more. */
const maxEnvelopeValues = 200;

/**
 * The pack in an envelope as it was downloaded; null for bytes that are no envelope of a pack, or whose pack holds too many values, which are not parsed:
 * reading them as a pack says what is wrong.
 */
export function envelopedPack(bytes: Uint8Array): EnvelopedPack | null {
  if (holdsMoreValues(bytes, maxEnvelopeValues)) return null;
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'));
    return typeof value === 'object' && value !== null ? packInEnvelope(value as Record<string, unknown>) : null;
  } catch {
    // Not JSON: reading it as a pack says so.
    return null;
  }
}

function packInEnvelope(value: Readonly<Record<string, unknown>>): EnvelopedPack | null {
  const { payloadType: type, payload, signatures } = value;
  if (type !== payloadType || typeof payload !== 'string' || !Array.isArray(signatures)) return null;
  const bytes = Buffer.from(payload, 'base64');
  if (holdsMoreValues(bytes, maxValues + maxEnvelopeValues)) return null;
  const predicate = predicateOf(bytes);
  if (predicate === null) return null;
  const publicKey = typeof predicate['publicKey'] === 'string' ? predicate['publicKey'] : '';
  const encoded = preAuthEncoding(type, bytes);
  const signed =
    bytes.toString('base64') === payload &&
    signatures.some(
      (entry: { sig?: unknown } | null) => typeof entry?.sig === 'string' && isSignedBy(encoded, entry.sig, publicKey),
    );
  return { pack: Buffer.from(JSON.stringify(predicate)), signed };
}

function predicateOf(payload: Buffer): Record<string, unknown> | null {
  try {
    const statement = JSON.parse(payload.toString('utf8')) as Record<string, unknown> | null;
    const predicate = statement?.['predicateType'] === predicateType ? statement['predicate'] : null;
    return typeof predicate === 'object' && predicate !== null && !Array.isArray(predicate)
      ? (predicate as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}
