import type { FieldSource } from '../../contract/span-mapping.ts';
import { mapSpan, readOtlpTraces, rejectionMessage } from '../otlp/index.ts';
import type { MappedField, OtlpEncoding, ReadOtlpOptions } from '../otlp/index.ts';
import type { OwnPrices } from '../pricing/index.ts';
import type { SpanRecord } from '../records/index.ts';
import { resolveTrace } from '../trace-store/index.ts';
import { inheritedBy } from './inherited-agent.ts';
import { mappingJson } from './mapping-json.ts';
import { rulesOf } from './span-headers.ts';
import type { HeaderNode } from './span-headers.ts';
import { spanJson, withContents } from './span-json.ts';
import { treeOrder } from './tree-order.ts';

/** Maximum characters of a preview, unless its first span has more. */
const maxLength = 16 * 1024 * 1024;

/**
 * What would be stored of an OTLP body (docs/semantics.md, "Mapping of a body"), as JSON text. The spans of a trace are in tree order; of a span that
 * the body has twice, the last one.
 *
 * @param body inflated
 * @throws OtlpDecodeError when the body is not an ExportTraceServiceRequest
 */
export function previewSpans(body: Buffer, encoding: OtlpEncoding, options: ReadOtlpOptions): string {
  const { batch, rejected, rejections } = readOtlpTraces(body, encoding, options);
  const shown: string[] = [];
  let length = 0;
  let truncated = false;
  for (const text of previews(batch.spans, options.ownPrices)) {
    length += text.length;
    truncated = shown.length > 0 && length > maxLength;
    if (truncated) break;
    shown.push(text);
  }
  const errorMessage = rejected > 0 ? rejectionMessage(rejections) : null;
  return `{"spans":[${shown.join(',')}],${JSON.stringify({ rejectedSpans: rejected, errorMessage, truncated }).slice(1)}`;
}

function* previews(spans: readonly SpanRecord[], ownPrices: OwnPrices | undefined): Generator<string> {
  for (const ofTrace of Map.groupBy(spans, ({ traceId }) => traceId).values()) {
    const records = new Map(ofTrace.map((span) => [span.spanId, span]));
    const nodes = new Map([...records].map(([spanId, span]) => [spanId, nodeOf(span)]));
    const resolved = resolveTrace([...nodes.values()]);
    for (const { node, depth } of treeOrder([...nodes.values()])) {
      const record = records.get(node.spanId);
      if (!record) continue;
      const place = { spanId: node.spanId, depth, rules: rulesOf(node, resolved), bytes: 0 };
      const fields = mapSpan(record, inheritedBy(node, nodes, resolved), ownPrices);
      const unmapped = JSON.stringify(unmappedAttributes(record, fields));
      yield `{"span":${spanJson(withContents(record, records.get(place.rules.contentFrom)), place)},"mapping":${mappingJson(node.spanId, record.source, fields)},"unmapped":${unmapped}}`;
    }
  }
}

function nodeOf(span: SpanRecord): HeaderNode {
  return { ...span, error: span.status === 'error', inputPreview: span.input, outputPreview: span.output, bytes: 0 };
}

/** The attributes of the span and its resource that no field was read from. */
function unmappedAttributes({ attributes, extra }: SpanRecord, fields: readonly MappedField[]): FieldSource[] {
  const used = new Set(fields.flatMap((field) => field.attributes).map((source) => `${source.in} ${source.key}`));
  const keys = (value: unknown) => (typeof value === 'object' && value !== null ? Object.keys(value) : []);
  const { resource } = (extra === '' ? {} : JSON.parse(extra)) as { resource?: unknown };
  const all: FieldSource[] = [
    ...keys(attributes === '' ? null : JSON.parse(attributes)).map((key): FieldSource => ({ in: 'span', key })),
    ...keys(resource).map((key): FieldSource => ({ in: 'resource', key })),
  ];
  return all.filter((source) => !used.has(`${source.in} ${source.key}`));
}
