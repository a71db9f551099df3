import type { ClickHouse } from '../../../platform/clickhouse/index.ts';
import { foldedTexts, spanTexts, wordsIndex } from './span-texts.ts';

/**
 * Adds the index of words to `span_texts`, unless the table has it. Rows that are stored already get it when their parts are merged.
 *
 * Errors: that of a server without such indexes; searches then read the texts.
 */
export async function addWords(clickhouse: Pick<ClickHouse, 'cluster' | 'command' | 'systemQuery'>): Promise<void> {
  const { cluster } = clickhouse;
  const table = cluster === null ? spanTexts.table : `${spanTexts.table}_local`;
  const found = await clickhouse.systemQuery(
    'SELECT 1 FROM system.data_skipping_indices WHERE database = currentDatabase() AND table = {table:String} AND name = {name:String}',
    { table, name: wordsIndex },
  );
  if (found.length > 0) return;
  await clickhouse.command(
    `ALTER TABLE ${table}${cluster === null ? '' : ` ON CLUSTER '${cluster}'`} ADD INDEX IF NOT EXISTS ${wordsIndex} ${foldedTexts} TYPE text(tokenizer = 'splitByNonAlpha')`,
  );
}
