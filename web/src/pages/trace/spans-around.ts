import type { OutlineSpan } from '../../api/parts.ts';
import { byStart } from './call-results.ts';

/** The service returns up to this many spans at once. */
const size = 50;
/** Neighbouring spans have the same set, so that it is loaded once for all of them. */
const step = 25;

/**
 * The spans whose payloads are needed to link the tool calls of a span with their runs: up to 50 of kind `llm` and `tool`, around the span in
 * order of their start. Empty for a span of another kind. Pure function.
 */
export function spansAround(spans: readonly OutlineSpan[], selected: OutlineSpan | null): OutlineSpan[] {
  if (selected === null || !isOfTools(selected)) return [];
  const relevant = spans.filter(isOfTools).toSorted(byStart);
  if (relevant.length <= size) return relevant;
  const at = relevant.findIndex(({ spanId }) => spanId === selected.spanId);
  const start = Math.floor(at / step) * step - Math.floor((size - step) / 2);
  const first = Math.min(Math.max(start, 0), relevant.length - size);
  return relevant.slice(first, first + size);
}

const isOfTools = ({ kind }: OutlineSpan) => kind === 'llm' || kind === 'tool';
