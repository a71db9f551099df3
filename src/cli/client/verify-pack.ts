import { open } from 'node:fs/promises';
import { Command, InvalidArgumentError } from 'commander';
import { maxPackBytes } from '../../contract/limits.ts';
import type { PackCheck } from '../../contract/evidence-packs.ts';
import {
  checkContentHash,
  checkKey,
  checkSignature,
  envelopedPack,
  NoPack,
  readPack,
} from '../../features/compliance/offline.ts';
import type { CommandIo } from './command-io.ts';
import { exitCodes, reporting } from './run-command.ts';
import { Refusal } from './service/refusal.ts';

/** An envelope holds a pack in base64. */
const maxFileBytes = 2 * maxPackBytes;

interface Flags {
  publicKey?: string;
  json?: boolean;
}

/** `spanwise verify-pack FILE`: checks hash and signature of a downloaded evidence pack, without a service. */
export function verifyPackCommand(io: CommandIo): Command {
  return new Command('verify-pack')
    .description('Check a downloaded evidence pack without a service: its hash and its signature')
    .argument('<file>', 'the pack as it was downloaded: format=json or format=dsse')
    .option('--public-key <key>', 'the key that must have signed it, base64, from a source that you trust', publicKeyOf)
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExit codes: 0 every check is ok, 1 one is not, 2 the file is no evidence pack, 3 every check is ok but --public-key is missing.\nWithout it the key inside the pack proves only that the pack is whole, not who made it. Whether the audit log still has the entries of the pack, only the service can check.',
    )
    .action((file: string, flags: Flags) =>
      // 1 means that the pack was changed.
      reporting(io, flags, () => verify(io, file, flags), { exitCodeOf: () => exitCodes.usage }),
    );
}

async function verify({ terminal }: CommandIo, file: string, { publicKey, json = false }: Flags): Promise<number> {
  const checks = await checkFile(file, publicKey ?? null);
  const valid = checks.every(({ ok }) => ok);
  const caution = publicKey === undefined ? unknownSigner : null;
  if (json) terminal.print(JSON.stringify({ valid, checks, caution }));
  else for (const line of linesOf(checks, valid, caution)) terminal.print(line);
  if (!valid) return exitCodes.refused;
  return publicKey === undefined ? exitCodes.inconclusive : exitCodes.done;
}

const unknownSigner =
  'The key inside the pack proves only that the pack is whole, not who made it; give the key of the installation with --public-key.';

type Check = Omit<PackCheck, 'name'> & { name: PackCheck['name'] | 'envelope' };

/** Errors: {@link Refusal} for a file that cannot be read or is no pack. */
async function checkFile(file: string, publicKey: string | null): Promise<Check[]> {
  const bytes = await bytesOf(file);
  const envelope = envelopedPack(bytes);
  try {
    const read = readPack(envelope?.pack ?? bytes);
    const checks: Check[] = [checkContentHash(read), checkSignature(read)];
    if (publicKey !== null) checks.push(checkKey(read, publicKey, 'the given key'));
    if (envelope) checks.unshift(envelopeCheck(envelope.signed));
    return checks;
  } catch (error) {
    if (error instanceof NoPack) throw new Refusal(`${file} is no evidence pack. ${error.message}`);
    throw error;
  }
}

function envelopeCheck(ok: boolean): Check {
  const detail = ok
    ? 'The DSSE envelope is signed with the key in the pack.'
    : 'The DSSE envelope is not signed with the key in the pack: it was changed.';
  return { name: 'envelope', ok, detail };
}

async function bytesOf(path: string): Promise<Buffer> {
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    throw new Refusal(`${path} cannot be read (${error.code ?? error.message})`);
  });
  try {
    const stat = await file.stat();
    if (!stat.isFile()) throw new Refusal(`${path} is not a file; give a downloaded evidence pack`);
    if (stat.size > maxFileBytes)
      throw new Refusal(`${path} has ${stat.size} bytes, more than an evidence pack can have (${maxFileBytes})`);
    return await file.readFile();
  } finally {
    await file.close();
  }
}

function linesOf(checks: readonly Check[], valid: boolean, caution: string | null): string[] {
  const lines = checks.map(({ name, ok, detail }) => `${ok ? 'ok  ' : 'FAIL'}  ${name}: ${detail}`);
  return [
    ...lines,
    valid ? 'The pack is unchanged.' : 'The pack is NOT what was generated.',
    ...(caution === null ? [] : [caution]),
  ];
}

function publicKeyOf(text: string): string {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length !== 32 || bytes.toString('base64') !== text)
    throw new InvalidArgumentError('give the raw Ed25519 key in base64, 44 characters, as publicKey of a pack');
  return text;
}
