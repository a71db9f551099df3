import type { EnvironmentAttachments } from '../../contract/environments.ts';
import { ServiceError } from '../../contract/errors.ts';
import { compareCodePoints } from '../../platform/text/index.ts';
import type { AttachmentReaders } from './environments-context.ts';
import type { Database } from '../../platform/postgres/index.ts';

/**
 * The guardrails, alert rules and incidents that name each of some environments (docs/semantics.md, "Environments").
 *
 * @param db the database, or a transaction
 * @returns an entry for every given name, its lists sorted by code point
 */
export async function readAttachments(
  readers: AttachmentReaders,
  db: Database,
  projectId: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, EnvironmentAttachments>> {
  // One after the other: a transaction runs one query at a time.
  const guardrails = await readers.guardrails(db, projectId, names);
  const alerts = await readers.alerts(db, projectId, names);
  const incidents = await readers.incidents(db, projectId, names);
  const sorted = (values: readonly string[] = []) => values.toSorted(compareCodePoints);
  const attachedTo = (name: string): EnvironmentAttachments => ({
    guardrails: sorted(guardrails.get(name)),
    alerts: sorted(alerts.get(name)),
    incidents: sorted(incidents.get(name)),
  });
  return new Map(names.map((name) => [name, attachedTo(name)]));
}

/** Throws `environment_in_use` with what is attached for the first environment that something names. @param attachments by environment */
export function refuseInUse(attachments: ReadonlyMap<string, EnvironmentAttachments>): void {
  for (const [name, attached] of attachments) {
    const kinds = (['guardrails', 'alerts', 'incidents'] as const).filter((kind) => attached[kind].length > 0);
    if (kinds.length === 0) continue;
    throw new ServiceError(
      'environment_in_use',
      `The environment ${name} is in use by ${kinds.join(', ')}; remove what names it first.`,
      { extra: { attached } },
    );
  }
}
