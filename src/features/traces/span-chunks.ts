import type { SpanPlace } from './span-headers.ts';

/** Spans that are read in one query. */
export interface SpanChunk {
  places: SpanPlace[];
  /** Whether their inputs, outputs, metadata and attributes are included. */
  withPayloads: boolean;
}

const chunkBytes = 4_000_000;
const chunkSpans = 500;
/** Maximum size of the payloads of one response. */
const answerBytes = 64_000_000;

/**
 * Divides spans into chunks that fit into memory. Beyond the maximum size of a response, spans have no payloads, so that the tree is complete.
 *
 * @param maxBytes maximum size of the payloads; 0 for none
 */
export function spanChunks(places: readonly SpanPlace[], maxBytes = answerBytes): SpanChunk[] {
  const chunks: SpanChunk[] = [];
  let open: SpanChunk | null = null;
  let openBytes = 0;
  let total = 0;
  for (const place of places) {
    total += place.bytes;
    const withPayloads = maxBytes > 0 && total <= maxBytes;
    const bytes = withPayloads ? place.bytes : 0;
    if (!open || open.withPayloads !== withPayloads || open.places.length >= chunkSpans || openBytes + bytes > chunkBytes) {
      open = { places: [], withPayloads };
      chunks.push(open);
      openBytes = 0;
    }
    open.places.push(place);
    openBytes += bytes;
  }
  return chunks;
}
