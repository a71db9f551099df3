import type { Acting } from '../../contract/actor.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { ModelConnectionChange, ModelConnectionRecord } from '../../contract/model-connections.ts';
import { checkAddress } from '../../platform/net/index.ts';
import { noSuchConnection, recordOf, underFreeName } from './connection-record.ts';
import type { ConnectionRow } from './connection-record.ts';
import type { ConnectionsContext } from './connections-context.ts';
import { recordConnectionChange } from './record-connection.ts';
import { refuseInUse, usesOfName } from './uses.ts';

/**
 * Changes the given fields of a model connection. Without `apiKey` the key stays; null removes it. A stored key is never sent to another
 * URL than the one it was given for: a user who may change the connection must not learn the key that way, and servers of one origin may belong to several.
 * The name stays while guardrails or scenarios refer to it.
 *
 * Errors: `not_found`; `conflict` when the name is taken; `invalid_request` for an address that is not allowed, and for another URL without
 * `apiKey` while there is a key; `connection_in_use` with `usedBy` for another name while it is in use by its name.
 */
export async function changeConnection(
  { db, clock, box, http, useReaders, onConnectionChanged }: ConnectionsContext,
  acting: Acting,
  connectionId: string,
  change: ModelConnectionChange,
): Promise<ModelConnectionRecord> {
  const { name, baseUrl, model, apiKey } = change;
  if (baseUrl !== undefined) await checkAddress(http, baseUrl, '/baseUrl');
  return underFreeName(name ?? '', () =>
    db.transaction().execute(async (transaction) => {
      const before = await transaction
        .selectFrom('model_connections')
        .selectAll()
        .where('id', '=', connectionId)
        .where('project_id', '=', acting.projectId)
        .forUpdate()
        .executeTakeFirst();
      if (!before) throw noSuchConnection();
      if (apiKey === undefined && before.sealed_key !== null && baseUrl !== undefined && !sameUrl(baseUrl, before.base_url)) {
        throw new ServiceError(
          'invalid_request',
          'Send apiKey again, or null for none: the stored key is not sent to another URL.',
          {
            details: [{ path: '/apiKey', message: 'is required when baseUrl changes' }],
          },
        );
      }
      if (name !== undefined && name !== before.name)
        refuseInUse(await usesOfName(useReaders, transaction, acting.projectId, before.name), 'renamed');
      const after = {
        ...before,
        name: name ?? before.name,
        base_url: baseUrl ?? before.base_url,
        model: model ?? before.model,
        sealed_key: apiKey === undefined ? before.sealed_key : apiKey === null ? null : box.seal(apiKey, before.id),
        updated_at: new Date(clock.now()),
      };
      await transaction.updateTable('model_connections').set(after).where('id', '=', before.id).execute();
      const changed = recordOf(after);
      const asked = ({ base_url, model }: ConnectionRow) => ({ baseUrl: base_url, model });
      const moved = { name: after.name, before: asked(before), after: asked(after) };
      await onConnectionChanged(transaction, acting.projectId, moved);
      const keyGiven = typeof apiKey === 'string' || (apiKey === null && before.sealed_key !== null);
      await recordConnectionChange(transaction, clock, acting, recordOf(before), changed, keyGiven);
      return changed;
    }),
  );
}

/** A slash at the end makes no other URL. */
function sameUrl(left: string, right: string): boolean {
  const whole = (text: string) => URL.parse(text)?.href.replace(/\/$/, '');
  return whole(left) === whole(right);
}
