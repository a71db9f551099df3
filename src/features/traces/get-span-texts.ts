import type { Tenant } from '../../platform/http/index.ts';
import { noSpan } from './get-span-mapping.ts';
import { readNodes, rulesOf } from './span-headers.ts';
import { resolveTrace } from '../trace-store/index.ts';
import { fieldsWithoutPayloads, payloadsOf, withContents } from './span-json.ts';
import type { PayloadTexts } from './span-json.ts';
import { readSpans } from './read-spans.ts';
import { readerFor } from './traces-context.ts';
import type { TracesContext } from './traces-context.ts';
import { treeOrder } from './tree-order.ts';

/** A span with its payloads as JSON texts. */
export interface SpanTexts {
  fields: Record<string, unknown>;
  payloads: PayloadTexts;
}

/**
 * One span with its payloads as they are stored.
 *
 * Errors: `not_found` for a span that the project does not have, or that is older than the retention edge.
 */
export async function getSpanTexts(
  context: Pick<TracesContext, 'clickhouse' | 'clock'>,
  tenant: Tenant,
  traceId: string,
  spanId: string,
): Promise<SpanTexts> {
  const reader = readerFor(context, tenant);
  // The empty id is the trace's own record, which is not a span.
  const row = spanId === '' ? undefined : (await readSpans(reader, traceId, [spanId])).get(spanId);
  if (!row) throw noSpan();
  const { shown } = await readNodes(reader, traceId, false);
  const resolved = resolveTrace(shown);
  const found = treeOrder(shown).find(({ node }) => node.spanId === spanId);
  if (!found) throw noSpan();
  const rules = rulesOf(found.node, resolved);
  const from =
    rules.contentFrom === '' ? undefined : (await readSpans(reader, traceId, [rules.contentFrom])).get(rules.contentFrom);
  const span = withContents(row, from);
  return {
    fields: { ...fieldsWithoutPayloads(span, { spanId, depth: found.depth, rules, bytes: 0 }) },
    payloads: payloadsOf(span),
  };
}
