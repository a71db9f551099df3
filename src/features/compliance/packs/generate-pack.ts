import { v7 as uuidv7 } from 'uuid';
import { actorName } from '../../../contract/actor.ts';
import type { Actor } from '../../../contract/actor.ts';
import { ServiceError } from '../../../contract/errors.ts';
import type { EvidencePack, ListedPack, PackBody, PackControl } from '../../../contract/evidence-packs.ts';
import type { Tenant } from '../../../platform/http/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { controlStatus } from '../control-status.ts';
import { collectEvidence } from '../evidence/collect-evidence.ts';
import type { CollectedEvidence } from '../evidence/collect-evidence.ts';
import { signBytes } from '../format/ed25519.ts';
import { packHash } from '../format/pack-hash.ts';
import type { PackContent } from '../format/pack-hash.ts';
import { soc2Controls } from '../soc2-controls.ts';
import { packRange } from './pack-range.ts';
import type { PacksContext } from './packs-context.ts';
import type { KeyPair } from './signing-key.ts';
import { hourMs } from '../../../contract/durations.ts';

/** Packs of a project an hour. They are kept, so that their number must have a bound. */
const maxAnHour = 200;

/**
 * Generates, signs and stores an evidence pack (docs/semantics.md, "Evidence packs").
 *
 * @returns the pack as it is downloaded: JSON in UTF-8
 *
 * Errors: `invalid_request` for the range; `rate_limited` for more than {@link maxAnHour} packs of a project an hour; `unavailable` when many wait.
 */
export async function generatePack(context: PacksContext, tenant: Tenant, actor: Actor, body: PackBody): Promise<Buffer> {
  const range = packRange(body, context.clock.now());
  return context.turns.run(tenant.projectId, async () => {
    await refuseMany(context, tenant);
    const key = await context.key.pair();
    const [id, nowMs] = [uuidv7(), context.clock.now()];
    const collected = await collectEvidence(context.records, context.ports, { ...tenant, ...range, nowMs }, id);
    const pack = sealed(
      {
        id,
        projectId: tenant.projectId,
        framework: body.framework,
        from: new Date(range.fromMs).toISOString(),
        to: new Date(range.toMs).toISOString(),
        createdAt: new Date(nowMs).toISOString(),
        createdBy: actorName(actor),
        controls: controlsOf(collected),
        audit: collected.audit,
      },
      key,
    );
    const content = Buffer.from(JSON.stringify(pack));
    await store(context, tenant, actor, pack, content);
    return content;
  });
}

function controlsOf({ evidence }: CollectedEvidence): PackControl[] {
  return soc2Controls.map((control) => {
    const found = control.sources.flatMap((type) => evidence.get(type) ?? []);
    const { controlId, title } = control;
    return { controlId, title, status: controlStatus(control, found.length), evidence: found };
  });
}

function sealed(content: PackContent, { privateKey, publicKey }: KeyPair): EvidencePack {
  const sha256 = packHash(content);
  return { ...content, sha256, signature: signBytes(Buffer.from(sha256, 'hex'), privateKey), publicKey };
}

async function store(
  { db, clock }: PacksContext,
  tenant: Tenant,
  actor: Actor,
  pack: EvidencePack,
  content: Buffer,
): Promise<void> {
  const { organizationId, projectId } = tenant;
  const { framework, from, to, sha256, createdAt } = pack;
  await db.transaction().execute(async (transaction) => {
    await transaction
      .insertInto('evidence_packs')
      .values({
        id: pack.id,
        project_id: projectId,
        created_at: new Date(createdAt),
        content,
        listed: JSON.stringify(listedOf(pack)),
      })
      .execute();
    await recordAudit(transaction, clock, {
      organizationId,
      projectId,
      kind: 'evidence_pack.generated',
      actor,
      subject: pack.id,
      detail: { framework, from, to, sha256 },
    });
  });
}

function listedOf({ controls, ...pack }: EvidencePack): ListedPack {
  return { ...pack, controls: controls.map(({ controlId, title, status }) => ({ controlId, title, status })) };
}

async function refuseMany({ db, clock }: PacksContext, { projectId }: Tenant): Promise<void> {
  const { made } = await db
    .selectFrom('evidence_packs')
    .select((select) => select.fn.countAll<number>().as('made'))
    .where('project_id', '=', projectId)
    .where('created_at', '>', new Date(clock.now() - hourMs))
    .executeTakeFirstOrThrow();
  if (made < maxAnHour) return;
  throw new ServiceError(
    'rate_limited',
    `This project has made ${maxAnHour} evidence packs in an hour; make the next one later.`,
    {
      retryAfterSeconds: 600,
    },
  );
}
