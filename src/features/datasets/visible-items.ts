import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';

/**
 * SQL that an item, given by `place`, is not of an import that has not ended.
 *
 * @param datasetId of the item
 */
export function isVisible(datasetId: string): RawBuilder<boolean> {
  return sql<boolean>`NOT EXISTS (SELECT 1 FROM dataset_imports AS open
    WHERE open.dataset_id = ${datasetId}::uuid AND place BETWEEN open.first_place AND open.last_place)`;
}
