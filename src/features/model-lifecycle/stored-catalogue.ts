import shipped from './shipped-catalogue.json' with { type: 'json' };
import { LRUCache } from 'lru-cache';
import { catalogueFile } from '../../contract/model-lifecycle.ts';
import type { CatalogueFile } from '../../contract/model-lifecycle.ts';
import { Catalogue } from './catalogue.ts';
import type { Override } from './catalogue.ts';
import type { LifecycleDb } from './tables.ts';

/** By the time of the import; 0 for the shipped one. */
const parsed = new LRUCache<number, Catalogue>({ max: 2 });

/** The catalogue that holds: the operator's, else the shipped one. */
export async function readCatalogue(db: LifecycleDb): Promise<Catalogue> {
  const stored = await db.selectFrom('lifecycle_catalogue').select('imported_at').executeTakeFirst();
  const key = stored?.imported_at.getTime() ?? 0;
  const known = parsed.get(key);
  if (known) return known;
  const imported = await db.selectFrom('lifecycle_catalogue').selectAll().executeTakeFirst();
  const catalogue = new Catalogue(catalogueFile.parse(imported ? JSON.parse(imported.content) : shipped));
  parsed.set(imported?.imported_at.getTime() ?? 0, catalogue);
  return catalogue;
}

/** Replaces the catalogue of every project. */
export async function importCatalogue(db: LifecycleDb, file: CatalogueFile, now: Date): Promise<void> {
  const stored = { content: JSON.stringify(file), imported_at: now };
  await db
    .insertInto('lifecycle_catalogue')
    .values({ id: true, ...stored })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(stored))
    .execute();
}

/** The dates of a project's own, by model. */
export async function readOverrides(db: LifecycleDb, projectId: string): Promise<Override[]> {
  return db
    .selectFrom('lifecycle_overrides')
    .select(['model', 'provider', 'retires_on as retiresOn', 'replacement', 'source'])
    .where('project_id', '=', projectId)
    .orderBy('model')
    .execute();
}
