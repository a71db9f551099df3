import type { SqlPart, TenantReader } from '../../../platform/clickhouse/index.ts';
import type { Tenant } from '../../../platform/http/index.ts';
import { textsOf } from '../filter/texts-of.ts';
import { sourceOf } from '../partly-expired.ts';
import { isOfHeaders, tableOfSpans } from '../span-list/span-table.ts';
import { readingOfAll, readingOfSpans, searchTexts } from '../text-search/text-search.ts';
import { readersFor } from '../traces-context.ts';
import type { TracesContext } from '../traces-context.ts';
import { rowsWith } from './rows-with.ts';
import type { RowsWanted } from './rows-with.ts';

/** What is asked of {@link recordRows}. */
export type RowsAsked = Omit<RowsWanted, 'partlyExpired' | 'reading' | 'table'>;

/** A SELECT of records, and what reads it. */
export interface RecordRows {
  rows: SqlPart;
  reader: TenantReader;
}

/** The records that match a filter, one row each, for figures over them. See {@link rowsWith} for the columns. */
export async function recordRows(
  context: TracesContext,
  tenant: Pick<Tenant, 'projectId' | 'plan'>,
  asked: RowsAsked,
): Promise<RecordRows> {
  const readers = readersFor(context, tenant);
  const { on, filter, range } = asked;
  if (on !== 'traces') {
    const reading = await readingOfSpans(context.search, readers.whole, tenant.projectId, filter, range);
    const isOfHeader = asked.fields.every(({ field }) => isOfHeaders(field.name));
    const table = isOfHeader ? await tableOfSpans(context.search, tenant.projectId, filter, reading) : 'spans';
    return { rows: rowsWith({ ...asked, partlyExpired: null, reading, table }), reader: readers.whole };
  }
  const { reader, partlyExpired } = await sourceOf(readers, range.fromNs);
  const texts = filter === null ? [] : textsOf(filter);
  const reading = readingOfAll(await searchTexts(context.search, reader, tenant.projectId, texts));
  return { rows: rowsWith({ ...asked, partlyExpired, reading, table: 'spans' }), reader };
}
