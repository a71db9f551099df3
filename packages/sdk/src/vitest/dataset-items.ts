import type { Connection } from './connection.ts';

/** An item of a dataset. */
export interface DatasetItem {
  id: string;
  input: unknown;
  /** undefined when the item has none. */
  expectedOutput?: unknown;
  metadata: Record<string, unknown>;
}

/** Items of an evaluation. */
const maxItems = 100_000;
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A dataset by its id or its name. Errors: there is none. */
export async function findDataset(connection: Connection, dataset: string): Promise<{ id: string }> {
  if (uuid.test(dataset)) return (await connection.send<{ id: string }>('GET', `/v1/datasets/${dataset}`)).body;
  const path = `/v1/datasets?${new URLSearchParams({ name: dataset }).toString()}`;
  const { body } = await connection.send<{ datasets: ReadonlyArray<{ id: string }> }>('GET', path);
  const found = body.datasets[0];
  if (!found) throw new Error(`There is no dataset ${JSON.stringify(dataset)}; give the name or the id of one of the project.`);
  return found;
}

/** All items of a dataset. Errors: there are more than 100,000. */
export async function itemsOf(connection: Connection, datasetId: string): Promise<DatasetItem[]> {
  const items: DatasetItem[] = [];
  for (let after = ''; ;) {
    const path = `/v1/datasets/${datasetId}/items${after === '' ? '' : `?after=${after}`}`;
    const { body } = await connection.send<{ items: readonly DatasetItem[] }>('GET', path);
    for (const item of body.items) items.push(item);
    if (items.length > maxItems) throw new Error(`The dataset has more than ${maxItems} items.`);
    const last = body.items.at(-1);
    if (!last) return items;
    after = last.id;
  }
}
