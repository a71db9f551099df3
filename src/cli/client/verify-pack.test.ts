import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openComplianceService } from '../../features/compliance/compliance-service.fixture.ts';
import type { ComplianceService } from '../../features/compliance/compliance-service.fixture.ts';
import { maxPackBytes } from '../../contract/limits.ts';
import type { EvidencePack } from '../../contract/evidence-packs.ts';
import { runClient } from './command-io.fixture.ts';

let service: ComplianceService;
let directory: string;
let pack: EvidencePack;
let downloads: { json: string; dsse: string; html: string };

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'spanwise-verify-pack-'));
  service = await openComplianceService();
  const project = await service.project();
  pack = await service.pack(project);
  const file = async (format: string) =>
    (await service.as('owner', project, 'GET', `/${pack.id}/download?format=${format}`)).text;
  downloads = { json: await file('json'), dsse: await file('dsse'), html: await file('html') };
});
afterAll(async () => {
  await service.close();
  await rm(directory, { recursive: true, force: true });
});

async function run(content: string | Buffer, ...more: string[]): ReturnType<typeof runAt> {
  const path = join(directory, 'pack');
  await writeFile(path, content);
  return runAt(path, ...more);
}

async function runAt(path: string, ...more: string[]): Promise<{ code: unknown; printed: string; warned: string }> {
  const { code, output, errors } = await runClient(['verify-pack', path, ...more]);
  return { code, printed: output, warned: errors };
}

test('a downloaded pack is whole; without a key it says what that proves, and exits with 3', async () => {
  for (const content of [downloads.json, downloads.dsse, JSON.stringify(pack, null, 4)]) {
    const { code, printed: text } = await run(content);
    expect([code, text]).toEqual([3, expect.stringContaining('The pack is unchanged.')]);
    expect(text).toContain('proves only that the pack is whole, not who made it');
    const known = await run(content, '--public-key', pack.publicKey);
    expect(known.code).toBe(0);
    expect(known.printed).toContain('ok    key: The key in the pack is the given key.');
    expect(known.printed).not.toContain('proves only');
  }
});

test('a changed pack and another key: exit code 1, and the check that failed', async () => {
  const changed = await run(downloads.json.replace(pack.createdAt, '2020-01-01T00:00:00.000Z'));
  expect(changed.code).toBe(1);
  expect(changed.printed).toMatch(/FAIL {2}content_hash: .*\nok {4}signature: /);
  expect(changed.printed).toContain('The pack is NOT what was generated.');
  const other = await run(downloads.json, '--public-key', Buffer.alloc(32, 7).toString('base64'));
  expect(other.code).toBe(1);
  expect(other.printed).toMatch(/FAIL {2}key: /);
  const twice = await run(downloads.json.replace('{', '{"id":"x",'));
  expect([twice.code, twice.printed]).toEqual([1, expect.stringContaining('is given twice')]);
  const envelope = JSON.parse(downloads.dsse) as { signatures: Array<{ sig: string }> };
  const resigned = JSON.stringify({ ...envelope, signatures: [{ sig: Buffer.alloc(64).toString('base64') }] });
  const enveloped = await run(resigned);
  expect([enveloped.code, enveloped.printed]).toEqual([1, expect.stringContaining('FAIL  envelope: ')]);
});

test('as JSON', async () => {
  const { code, printed: text } = await run(downloads.json, '--json', '--public-key', pack.publicKey);
  expect(code).toBe(0);
  const checks = ['content_hash', 'signature', 'key'].map((name) => ({ name, ok: true, detail: expect.any(String) }));
  expect(JSON.parse(text)).toEqual({ valid: true, checks, caution: null });
  expect(JSON.parse((await run('[]', '--json')).printed)).toEqual({ error: expect.stringContaining('is no evidence pack') });
});

const noPacks: Array<[string, () => string | Buffer, RegExp]> = [
  ['empty', () => '', /is no evidence pack\. It is not valid JSON/],
  ['not JSON', () => downloads.html, /is no evidence pack\. It is not valid JSON/],
  ['cut off', () => downloads.json.slice(0, -100), /or it was cut off; download the pack again/],
  ['an envelope that is cut off', () => downloads.dsse.slice(0, -100), /or it was cut off/],
  [
    'an envelope of something else',
    () => JSON.stringify({ ...(JSON.parse(downloads.dsse) as object), payload: 'e30=' }),
    /is no evidence pack/,
  ],
  ['not UTF-8', () => Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), /is not text in UTF-8/],
  ['a list', () => '[1]', /is not a JSON object/],
  ['another object', () => '{"name":"spanwise"}', /has no sha256, signature and publicKey/],
  ['deep', () => '['.repeat(200_000), /is no evidence pack/],
  ['full of values', () => `{"sha256":[${'1,'.repeat(600_000)}1]}`, /more values than a pack can have/],
];
test.each(noPacks)('a file that is %s: exit code 2 and a sentence', async (_what, content, message) => {
  const { code, warned } = await run(content());
  expect(code).toBe(2);
  expect(warned).toMatch(message);
});

test('a huge file is refused before it is read, and so is what is no file', async () => {
  const huge = join(directory, 'huge');
  await writeFile(huge, '');
  await truncate(huge, 2 * maxPackBytes + 1);
  expect(await runAt(huge)).toMatchObject({ code: 2, warned: expect.stringContaining('more than an evidence pack can have') });
  expect(await runAt(join(directory, 'none'))).toMatchObject({
    code: 2,
    warned: expect.stringContaining('cannot be read (ENOENT)'),
  });
  expect((await runAt(directory)).warned).toMatch(/is not a file|EISDIR/);
});

test.each(['', 'abc', `${'A'.repeat(43)}`, `${'A'.repeat(42)}B=`])('a key that is none is refused: %j', async (key) => {
  const { code, warned } = await runAt(join(directory, 'pack'), '--public-key', key);
  expect([code, warned]).toEqual([2, expect.stringContaining('raw Ed25519 key')]);
});
