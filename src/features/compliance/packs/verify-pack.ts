import { ServiceError } from '../../../contract/errors.ts';
import type { PackCheck, PackVerification } from '../../../contract/evidence-packs.ts';
import type { Tenant } from '../../../platform/http/index.ts';
import { hashAt, verifyChain } from '../../audit/index.ts';
import { checkContentHash, checkKey, checkSignature } from '../format/check-seal.ts';
import { envelopedPack } from '../format/dsse.ts';
import { NoPack, readPack } from '../format/read-pack.ts';
import type { ReadPack } from '../format/read-pack.ts';
import type { PacksContext } from './packs-context.ts';

/**
 * Verifies a pack from its bytes, as it was stored or downloaded (docs/semantics.md, "Evidence packs").
 *
 * @param tenant of the caller: the pack's audit log is looked up nowhere else
 * @param signal stops between two pages of the audit log; the result is then meaningless
 *
 * Errors: `invalid_request` for bytes that are no pack; `unavailable` when many wait.
 */
export async function verifyPack(
  context: PacksContext,
  tenant: Tenant,
  content: Uint8Array,
  signal?: AbortSignal,
): Promise<PackVerification> {
  const envelope = envelopedPack(content);
  const read = readOrRefuse(envelope?.pack ?? content);
  return context.turns.run(tenant.projectId, async () => {
    const checks = [
      checkContentHash(read),
      envelope?.signed === false ? unsignedEnvelope : checkSignature(read),
      checkKey(read, await context.key.publicKey(), "this installation's key"),
      await checkChain(context, tenant, read, signal),
    ];
    return { valid: checks.every(({ ok }) => ok), checks };
  });
}

const unsignedEnvelope: PackCheck = {
  name: 'signature',
  ok: false,
  detail: 'The DSSE envelope is not signed with the key in the pack: it was changed.',
};

function readOrRefuse(content: Uint8Array): ReadPack {
  try {
    return readPack(content);
  } catch (error) {
    if (error instanceof NoPack)
      throw new ServiceError('invalid_request', `This is no evidence pack. ${error.message}`, { cause: error });
    throw error;
  }
}

interface ChainEnd {
  seq: number;
  hash: string;
}

/** Whether the audit log is whole, and its entries at both ends of the pack's range have the hashes that the pack states. */
async function checkChain(
  { records, clock }: PacksContext,
  { organizationId, projectId }: Tenant,
  { pack }: ReadPack,
  signal: AbortSignal | undefined,
): Promise<PackCheck> {
  const name = 'audit_chain';
  if (pack['projectId'] !== projectId)
    return { name, ok: false, detail: 'The pack names another project; verify it there, where its audit log is.' };
  const ends = endsOf(pack['audit']);
  if (ends === null) return { name, ok: false, detail: 'The pack does not state both ends of the audit log.' };
  for (const { seq, hash } of ends) {
    const stored = await hashAt(records, organizationId, seq);
    if (stored === null)
      return { name, ok: false, detail: `The audit log has no entry ${seq}: it was removed, or the pack was changed.` };
    if (stored !== hash)
      return {
        name,
        ok: false,
        detail: `Entry ${seq} of the audit log has another hash than the pack states: one of the two was changed.`,
      };
  }
  const { valid, entries, brokenAt } = await verifyChain({ db: records, clock }, organizationId, signal);
  if (!valid) return { name, ok: false, detail: `The audit log is not whole: entry ${brokenAt} is missing or was changed.` };
  const [from, to] = ends;
  return {
    name,
    ok: true,
    detail: `All ${entries} entries of the audit log are whole, and entries ${from.seq} and ${to.seq} have the stated hashes.`,
  };
}

function endsOf(audit: unknown): [ChainEnd, ChainEnd] | null {
  const { from, to } = (audit ?? {}) as { from?: unknown; to?: unknown };
  return isEnd(from) && isEnd(to) ? [from, to] : null;
}

function isEnd(value: unknown): value is ChainEnd {
  const { seq, hash } = (value ?? {}) as { seq?: unknown; hash?: unknown };
  return typeof seq === 'number' && Number.isSafeInteger(seq) && seq >= 0 && typeof hash === 'string';
}
