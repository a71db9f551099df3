import type { SpanPlace } from './span-outlines.ts';

/** Spans that are read together. */
export interface SpanChunk {
  places: SpanPlace[];
  /** Their inputs, outputs, metadata and attributes are shown too. */
  withPayloads: boolean;
}

const chunkBytes = 4_000_000;
const chunkSpans = 500;
/** What the payloads of one answer may come to. */
const answerBytes = 64_000_000;

/**
 * Divides spans into pieces that fit into memory. Past what one answer may hold spans come without their payloads, so that the
 * tree is whole.
 */
export function spanChunks(places: readonly SpanPlace[]): SpanChunk[] {
  const chunks: SpanChunk[] = [];
  let open: SpanChunk | null = null;
  let openBytes = 0;
  let total = 0;
  for (const place of places) {
    total += place.bytes;
    const withPayloads = total <= answerBytes;
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
