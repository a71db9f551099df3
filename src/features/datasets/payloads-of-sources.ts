import { ServiceError } from '../../contract/errors.ts';
import type { Tenant } from '../../platform/http/index.ts';
import { findSpans, readSpanPayloads } from '../traces/index.ts';
import type { SpanPayloads } from '../traces/index.ts';
import type { DatasetsContext } from './datasets-context.ts';
import { maxBodyBytes } from './json-body.ts';

type Source = { traceId: string; spanId?: string | undefined } | undefined;

/**
 * The payloads of the spans that items name as sources, by index of the item; null for an item without a source. JSON text as it was
 * ingested.
 *
 * @param pathOf the path of an item in the body, for errors
 *
 * Errors: `not_found` for a missing span; `payload_too_large` when the payloads exceed 16 MiB together.
 */
export async function payloadsOfSources(
  context: DatasetsContext,
  tenant: Tenant,
  sources: readonly Source[],
  pathOf: (index: number) => string,
): Promise<Array<(SpanPayloads & { traceId: string; spanId: string }) | null>> {
  const named = sources.flatMap((source, index) => (source ? [{ source, index }] : []));
  if (named.length === 0) return sources.map(() => null);
  const found = await findSpans(
    context,
    tenant,
    named.map(({ source }) => ({ traceId: source.traceId, spanId: source.spanId ?? null })),
  );
  const spans = found.map((span, place) => {
    if (span) return span;
    throw new ServiceError('not_found', 'There is no such span in this project; check the traceId and spanId of the source.', {
      details: [{ path: `${pathOf(named[place]?.index ?? 0)}/source`, message: 'names no span of this project' }],
    });
  });
  const bytes = spans.reduce((sum, span) => sum + span.bytes, 0);
  if (bytes > maxBodyBytes) {
    throw new ServiceError(
      'payload_too_large',
      `The spans hold more than ${maxBodyBytes / 1_048_576} MiB together; send fewer items in one request.`,
    );
  }
  const payloads = await readSpanPayloads(context, tenant, spans);
  const bySource = new Map(
    named.map(({ index }, place) => {
      const { traceId, spanId } = spans[place] ?? { traceId: '', spanId: '' };
      return [index, { traceId, spanId, ...(payloads[place] ?? { input: null, output: null }) }];
    }),
  );
  return sources.map((_, index) => bySource.get(index) ?? null);
}
