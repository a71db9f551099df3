import { ServiceError } from '../../contract/errors.ts';
import { resolveTrace } from '../trace-store/index.ts';
import type { InheritedAgent } from '../otlp/index.ts';
import type { TenantReader } from '../../platform/clickhouse/index.ts';
import type { Tenant } from '../../platform/http/index.ts';
import { inheritedBy } from './inherited-agent.ts';
import { mappingJson } from './mapping-json.ts';
import { readNodes } from './span-headers.ts';
import { readSpans } from './read-spans.ts';
import { readerFor } from './traces-context.ts';
import type { TracesContext } from './traces-context.ts';

/**
 * The convention that filled each field of a span (docs/semantics.md, "Field mapping"), as JSON text with the payloads as they are stored.
 *
 * Errors: `not_found` for a span that the project does not have, or that is older than the retention edge.
 */
export async function getSpanMapping(context: TracesContext, tenant: Tenant, traceId: string, spanId: string): Promise<string> {
  const reader = readerFor(context, tenant);
  // The empty id is the trace's own record, which is not a span.
  const row = spanId === '' ? undefined : (await readSpans(reader, traceId, [spanId])).get(spanId);
  if (!row) throw noSpan();
  const inherited = row.agentName === '' ? await inheritedAgent(reader, traceId, spanId) : null;
  const ownPrices = await context.ownPrices(tenant.projectId);
  return mappingJson(spanId, row.source, await context.mapper.map(row, inherited, ownPrices));
}

export function noSpan(): ServiceError {
  return new ServiceError(
    'not_found',
    'There is no such span in this project; check the ids of trace and span, or read the trace for its spans.',
  );
}

/** The span whose agent name a span takes. */
async function inheritedAgent(reader: TenantReader, traceId: string, spanId: string): Promise<InheritedAgent | null> {
  const { shown } = await readNodes(reader, traceId, false);
  const own = shown.find((node) => node.spanId === spanId);
  return own ? inheritedBy(own, new Map(shown.map((node) => [node.spanId, node])), resolveTrace(shown)) : null;
}
