import { systemActor } from '../../contract/actor.ts';
import { generatePack } from '../../features/compliance/index.ts';
import type { ComplianceFeature } from '../../features/compliance/index.ts';
import type { Tenant } from '../../platform/http/index.ts';
import { dayMs } from '../../contract/durations.ts';

/** Generates an evidence pack of the demonstration. Call when everything else is written. */
export async function seedEvidencePack(
  { context }: Pick<ComplianceFeature, 'context'>,
  tenant: Tenant,
  { days, endMs }: { days: number; endMs: number },
): Promise<void> {
  // Also what the other parts of the demonstration wrote just now.
  const toMs = Math.max(endMs, context.clock.now());
  const range = { from: new Date(toMs - Math.min(days, 366) * dayMs).toISOString(), to: new Date(toMs).toISOString() };
  await generatePack(context, tenant, systemActor, { framework: 'soc2', ...range });
}
