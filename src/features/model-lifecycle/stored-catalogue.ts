import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import type { z } from 'zod';
import { catalogueFile } from '../../contract/model-lifecycle.ts';
import type { CatalogueFile } from '../../contract/model-lifecycle.ts';
import { Catalogue } from './catalogue.ts';
import type { Override } from './catalogue.ts';
import type { Database } from '../../platform/postgres/index.ts';

/** The dates that come with the program: ids, dates and the pages that state them, reviewed on the date that the file names. */
export async function shippedCatalogue(): Promise<CatalogueFile> {
  return catalogueFile.parse(JSON.parse(await readFile(join(import.meta.dirname, 'catalogue.json'), 'utf8')));
}

/** By the time of the import; 0 for the shipped one. */
const parsed = new LRUCache<number, Catalogue>({ max: 2 });

/** The catalogue that holds: the operator's, else the shipped one. */
export async function readCatalogue(db: Database): Promise<Catalogue> {
  const stored = await db.selectFrom('lifecycle_catalogue').select('imported_at').executeTakeFirst();
  const key = stored?.imported_at.getTime() ?? 0;
  const known = parsed.get(key);
  if (known) return known;
  const imported = await db.selectFrom('lifecycle_catalogue').selectAll().executeTakeFirst();
  const catalogue = new Catalogue(imported ? catalogueFile.parse(JSON.parse(imported.content)) : await shippedCatalogue());
  parsed.set(imported?.imported_at.getTime() ?? 0, catalogue);
  return catalogue;
}

/**
 * Reads a catalogue that an operator gives: a catalogue file, or its models alone, as they are published. Models alone were reviewed on the day
 * that the newest of them was checked; on the day of the import where none names its day.
 */
export function catalogueIn(json: unknown, now: Date): z.ZodSafeParseResult<CatalogueFile> {
  if (!Array.isArray(json)) return catalogueFile.safeParse(json);
  const today = now.toISOString().slice(0, 10);
  const models = catalogueFile.shape.models.transform((entries) => {
    const days = entries.flatMap(({ checkedOn }) => checkedOn ?? []).toSorted();
    return { reviewedOn: days.at(-1) ?? today, models: entries };
  });
  return models.safeParse(json);
}

/** Replaces the catalogue of every project. */
export async function importCatalogue(db: Database, file: CatalogueFile, now: Date): Promise<void> {
  const stored = { content: JSON.stringify(file), imported_at: now };
  await db
    .insertInto('lifecycle_catalogue')
    .values({ id: true, ...stored })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(stored))
    .execute();
}

/** The dates of a project's own, by model. */
export async function readOverrides(db: Database, projectId: string): Promise<Override[]> {
  return db
    .selectFrom('lifecycle_overrides')
    .select(['model', 'provider', 'retires_on as retiresOn', 'replacement', 'source'])
    .where('project_id', '=', projectId)
    .orderBy('model')
    .execute();
}
