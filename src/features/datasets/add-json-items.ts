import type { Actor } from '../../contract/actor.ts';
import { itemsBody } from '../../contract/datasets.ts';
import { validated } from '../../platform/http/index.ts';
import type { Tenant } from '../../platform/http/index.ts';
import { addItems } from './add-items.ts';
import { getDataset } from './datasets.ts';
import type { DatasetsContext } from './datasets-context.ts';

/**
 * Adds items that were parsed elsewhere, as {@link addItems} does.
 *
 * @param body the body of the route that adds items
 * @returns `{items}` as JSON text
 *
 * Errors: those of {@link addItems}; `not_found` for a dataset that is not of the project; that the body is invalid.
 */
export async function addJsonItems(
  context: DatasetsContext,
  { tenant, actor }: { tenant: Tenant; actor: Actor },
  datasetId: string,
  body: unknown,
): Promise<string> {
  const dataset = await getDataset(context, tenant.projectId, datasetId);
  const request = await context.itemTexts.request(Buffer.from(JSON.stringify(body)), tenant.projectId);
  return addItems(context, { tenant, actor }, dataset.id, validated(itemsBody, request.body, 'arguments'), request.payloads);
}
