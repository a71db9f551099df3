import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { EvidencePack } from '../../../contract/evidence-packs.ts';
import { canonicalJson } from '../../../platform/json/index.ts';
import { envelopedPack, envelopeOf, preAuthEncoding } from './dsse.ts';
import { isSignedBy, rawPublicKey, signBytes } from './ed25519.ts';
import { packHash } from './pack-hash.ts';

const fixtures = join(import.meta.dirname, '../../../../test/fixtures/evidence');
const names = readdirSync(join(fixtures, 'jcs'))
  .filter((name) => name.endsWith('.input.json'))
  .map((name) => name.replace('.input.json', ''));

test('there are vectors', () => {
  expect(names.length).toBeGreaterThan(5);
});

test.each(names)('the canonical form of %s is that of RFC 8785', (name) => {
  const input: unknown = JSON.parse(readFileSync(join(fixtures, 'jcs', `${name}.input.json`), 'utf8'));
  expect(canonicalJson(input)).toBe(readFileSync(join(fixtures, 'jcs', `${name}.output.json`), 'utf8'));
});

test.each([['\ud800'], [{ '\udc00': 1 }], [Number.NaN], [Number.POSITIVE_INFINITY], [undefined]])(
  'what I-JSON cannot hold has no canonical form: %j',
  (value) => {
    expect(() => canonicalJson(value)).toThrow();
  },
);

test('the canonical form does not depend on the order of members', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.integer()), (value) => {
      const reversed = Object.fromEntries(Object.entries(value).toReversed());
      expect(canonicalJson(reversed)).toBe(canonicalJson(value));
    }),
  );
});

test("the encoding of what DSSE signs is that of DSSE's vector", () => {
  const vector = JSON.parse(readFileSync(join(fixtures, 'dsse.json'), 'utf8')) as Record<string, string>;
  const payload = Buffer.from(vector['payload'] ?? '');
  expect(preAuthEncoding(vector['payloadType'] ?? '', payload).toString()).toBe(vector['pae']);
  // Lengths are those of bytes.
  expect(preAuthEncoding('é', Buffer.from('ü')).toString()).toBe('DSSEv1 2 é 2 ü');
});

test("Ed25519 is that of RFC 8032's first vector", () => {
  const seed = '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60';
  const privateKey = createPrivateKey({
    key: Buffer.from(`302e020100300506032b657004220420${seed}`, 'hex'),
    format: 'der',
    type: 'pkcs8',
  });
  expect(Buffer.from(rawPublicKey(privateKey), 'base64').toString('hex')).toBe(
    'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
  );
  expect(Buffer.from(signBytes(new Uint8Array(), privateKey), 'base64').toString('hex')).toBe(
    'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
  );
});

test('another spelling of the same bytes is another signature', () => {
  const { privateKey } = generateKeyPairSync('ed25519');
  const bytes = Buffer.from('content');
  const [signature, publicKey] = [signBytes(bytes, privateKey), rawPublicKey(privateKey)];
  expect(isSignedBy(bytes, signature, publicKey)).toBe(true);
  const spelled = (text: string) => [
    text.replace(/=+$/, ''),
    `${text}=`,
    ` ${text}`,
    // The last character before the padding has bits that no byte holds.
    text.replace(/(.)(=+)$/, (_, last: string, padding: string) => `${String.fromCharCode(last.charCodeAt(0) + 1)}${padding}`),
  ];
  for (const other of spelled(signature)) expect(isSignedBy(bytes, other, publicKey), other).toBe(false);
  for (const other of spelled(publicKey)) expect(isSignedBy(bytes, signature, other), other).toBe(false);
  expect(isSignedBy(bytes, signature, Buffer.alloc(32, 255).toString('base64'))).toBe(false);
});

const enveloped = (value: object) => envelopedPack(Buffer.from(JSON.stringify(value)));

test('an envelope gives its pack back, and notices a change', () => {
  const { privateKey } = generateKeyPairSync('ed25519');
  const content = { id: 'a', projectId: 'b', controls: [] };
  const pack = {
    ...content,
    sha256: packHash(content),
    publicKey: rawPublicKey(privateKey),
    signature: '',
  } as unknown as EvidencePack;
  const envelope = envelopeOf(pack, (bytes) => signBytes(bytes, privateKey));
  const read = enveloped(envelope);
  expect(read?.signed).toBe(true);
  expect(JSON.parse(read?.pack.toString() ?? '')).toEqual(pack);
  const statement = JSON.parse(Buffer.from(envelope.payload, 'base64').toString()) as Record<string, unknown>;
  expect(statement).toMatchObject({
    _type: 'https://in-toto.io/Statement/v1',
    subject: [{ name: 'evidence-pack/a', digest: { sha256: pack.sha256 } }],
  });
  const changed = Buffer.from(JSON.stringify({ ...statement, subject: [] })).toString('base64');
  expect(enveloped({ ...envelope, payload: changed })?.signed).toBe(false);
  expect(enveloped({ ...envelope, signatures: [null, {}] })?.signed).toBe(false);
  for (const other of [{}, { ...envelope, payload: 1 }, { ...envelope, payload: 'bnVsbA==' }, { ...envelope, signatures: {} }])
    expect(enveloped(other)).toBeNull();
});
