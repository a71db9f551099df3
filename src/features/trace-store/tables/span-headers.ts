import type { InsertRows, RowsCopy, TenantTables } from '../../../platform/clickhouse/index.ts';
import { RowWriter } from '../../../platform/row-binary/index.ts';
import { spans } from './spans.ts';
import type { SpanHeader } from './spans.ts';

const payloads: ReadonlySet<string> = new Set(['input', 'output', 'metadata', 'attributes', 'extra']);

/**
 * Table `span_headers`: the columns of `spans` without its payloads, in the order of time (ADR 0033). A batch writes a row just before its row of `spans`; a span
 * that has another start by now has a tombstone under the earlier one.
 */
export const spanHeaders: RowsCopy & { tenant: TenantTables[string] } = {
  table: 'span_headers',
  columns: spans.layout.map(([column]) => column).filter((column) => !payloads.has(column)),
  tenant: spans.tenant,
};

/** Which row of `span_headers` is hidden. */
export type HeaderKey = Pick<SpanHeader, 'traceId' | 'spanId' | 'startNs'>;

/** Collects tombstones of `span_headers`. */
export class StaleHeaders {
  readonly #rows = new RowWriter(1024);

  /** @param version at least that of the hidden row, and below that of a row that is to replace the tombstone */
  add(projectId: string, version: number, key: HeaderKey): void {
    spans.writeTombstone(this.#rows, { projectId, version }, key);
  }

  /** The insert of the tombstones; none if there are none. The collection must not be used afterwards. */
  inserts(token: string): InsertRows[] {
    const bytes = this.#rows.finish();
    if (bytes.length === 0) return [];
    return [
      { table: spanHeaders.table, layout: spans.tombstoneLayout, bytes: [bytes], token: `${token}-stale-${spanHeaders.table}` },
    ];
  }
}
