import { createHash, createPublicKey, verify } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dayMs, nowMs, openComplianceService } from '../src/features/compliance/compliance-service.fixture.ts';
import type { ComplianceService } from '../src/features/compliance/compliance-service.fixture.ts';

// A verifier written from docs/evidence-format.md. It uses Node's own modules and nothing of the service.

type Json = Record<string, unknown>;

function jcs(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(jcs).join(',')}]`;
  if (typeof value !== 'object' || value === null) {
    if (typeof value === 'string' && !value.isWellFormed()) throw new Error('an unpaired surrogate');
    return JSON.stringify(value);
  }
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${jcs(name)}:${jcs((value as Json)[name])}`).join(',')}}`;
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

function ed25519(publicKey: string) {
  const prefix = Buffer.from('302a300506032b6570032100', 'hex');
  return createPublicKey({ key: Buffer.concat([prefix, Buffer.from(publicKey, 'base64')]), format: 'der', type: 'spki' });
}

function verifies(text: string, trustedKey: string): boolean {
  const pack = JSON.parse(text) as Json;
  const { sha256: stated, signature, publicKey, ...content } = pack as { sha256: string; signature: string; publicKey: string };
  if (sha256(jcs(content)) !== stated || publicKey !== trustedKey) return false;
  return verify(null, Buffer.from(stated, 'hex'), ed25519(publicKey), Buffer.from(signature, 'base64'));
}

let service: ComplianceService;
let text: string;
let envelope: string;
let key: string;
let organizationId: string;

beforeAll(async () => {
  service = await openComplianceService();
  const project = await service.project();
  organizationId = project.organizationId;
  const odd = { email: '\u20ac$\u000f\nA\'\u0042\u0022\u005c\\"/\ud83d\ude00 ü@example.com', role: 'viewer' } as const;
  const added = { kind: 'member.added', detail: odd, subject: '"; \u2028' } as const;
  for (let hour = 3; hour > 0; hour--)
    await service.audit(project, nowMs - hour * 3_600_000, ...Array.from({ length: 10 }, () => added));
  await service.audit(project, nowMs - dayMs, { kind: 'api_key.created', detail: { name: 'k', prefix: 'spw_' } });
  const range = { framework: 'soc2', from: new Date(nowMs - dayMs).toISOString(), to: new Date(nowMs).toISOString() };
  const { id, publicKey } = await service.pack(project, range);
  key = publicKey;
  text = (await service.as('owner', project, 'GET', `/${id}/download`)).text;
  envelope = (await service.as('owner', project, 'GET', `/${id}/download?format=dsse`)).text;
});
afterAll(() => service.close());

test('the verifier of the page accepts a pack, and no other key and no change', () => {
  expect(verifies(text, key)).toBe(true);
  expect(verifies(text, Buffer.alloc(32, 1).toString('base64'))).toBe(false);
  expect(verifies(text.replace('"controlId":"', '"controlId":"X'), key)).toBe(false);
  expect(verifies(text.replace('{', '{"more":null,'), key)).toBe(false);
});

test('digests, samples and entries are as the page says', () => {
  const pack = JSON.parse(text) as { id: string; controls: Array<{ evidence: Json[] }> };
  const evidence = pack.controls.flatMap((control) => control.evidence) as Array<{
    type: string;
    count: number;
    sha256: string;
    sample: Json[];
  }>;
  const listed = evidence.filter(({ count }) => count <= 20);
  expect(listed.length).toBeGreaterThan(0);
  for (const { sample, count, sha256: digest } of listed) {
    expect(sample).toHaveLength(count);
    expect(sha256(sample.map((record) => `${jcs(record)}\n`).join(''))).toBe(digest);
  }
  const log = evidence.find(({ type }) => type === 'audit_log');
  expect([log?.count, log?.sample.length]).toEqual([31, 25]);
  for (const { hash, ...entry } of log?.sample ?? []) {
    const fields = [
      'seq',
      'id',
      'at',
      'kind',
      'actorType',
      'actorId',
      'actorName',
      'projectId',
      'subject',
      'detail',
      'previousHash',
    ];
    expect(sha256(JSON.stringify(['spanwise-audit-1', organizationId, ...fields.map((field) => entry[field])]))).toBe(hash);
  }
});

test('the envelope is as the page says, and holds the same pack', () => {
  const { payloadType, payload, signatures } = JSON.parse(envelope) as {
    payloadType: string;
    payload: string;
    signatures: Array<{ keyid: string; sig: string }>;
  };
  const body = Buffer.from(payload, 'base64');
  const signed = Buffer.concat([Buffer.from(`DSSEv1 ${payloadType.length} ${payloadType} ${body.length} `), body]);
  expect(signatures.map(({ keyid }) => keyid)).toEqual([key]);
  expect(verify(null, signed, ed25519(key), Buffer.from(signatures[0]?.sig ?? '', 'base64'))).toBe(true);
  const pack = JSON.parse(text) as Json;
  expect(JSON.parse(body.toString())).toEqual({
    _type: 'https://in-toto.io/Statement/v1',
    subject: [{ name: `evidence-pack/${String(pack['id'])}`, digest: { sha256: pack['sha256'] } }],
    predicateType: 'urn:spanwise:evidence-pack:v1',
    predicate: pack,
  });
  expect(payloadType).toBe('application/vnd.in-toto+json');
});
