import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Transaction } from '../../../platform/postgres/index.ts';

const pageSize = 500;

/**
 * The rows of a query in pages, through a cursor: memory is that of a page.
 *
 * @param transaction one that runs no other cursor of this function meanwhile
 */
export async function* streamRows<Row>(transaction: Transaction, query: RawBuilder<Row>): AsyncGenerator<readonly Row[]> {
  await sql`DECLARE evidence NO SCROLL CURSOR FOR ${query}`.execute(transaction);
  for (;;) {
    const { rows } = await sql<Row>`FETCH ${sql.lit(pageSize)} FROM evidence`.execute(transaction);
    if (rows.length > 0) yield rows;
    if (rows.length < pageSize) break;
  }
  await sql`CLOSE evidence`.execute(transaction);
}
