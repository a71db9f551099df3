import type { OutlineSpan, WholeOutline } from '../../api/parts.ts';

/**
 * The span that a trace opens with: the first one where an error began; of a trace without failures the call whose output is the trace's, else the first
 * call, else the first span. Pure function.
 */
export function firstSpan({
  trace,
  spans,
}: Pick<WholeOutline, 'spans'> & { trace: Pick<WholeOutline['trace'], 'outputFrom' | 'outputPreview'> }): string | null {
  const calls = spans.filter(({ kind }) => kind === 'llm' || kind === 'embedding');
  const output = trace.outputPreview;
  const found =
    firstFailure(spans) ??
    calls.find(({ spanId }) => spanId === trace.outputFrom) ??
    (output === null ? undefined : calls.findLast(({ outputPreview }) => isSame(outputPreview, output))) ??
    calls[0] ??
    spans[0];
  return found?.spanId ?? null;
}

/** The first failed span below which none failed: those above it often repeat its error. Of failed spans in a circle the first. */
function firstFailure(spans: readonly OutlineSpan[]): OutlineSpan | undefined {
  const byId = new Map(spans.map((span) => [span.spanId, span]));
  const failed = spans.filter(({ status }) => status === 'error');
  const above = new Set<string>();
  for (const span of failed) {
    let parent = span.parentSpanId;
    while (parent !== null && !above.has(parent)) {
      above.add(parent);
      parent = byId.get(parent)?.parentSpanId ?? null;
    }
  }
  return failed.find(({ spanId }) => !above.has(spanId)) ?? failed[0];
}

/** A root that returns the text of a message has it in quotes, where the call has the message. */
function isSame(ofCall: string | null, ofTrace: string): boolean {
  if (ofCall === null) return false;
  const text = ofTrace.replace(/^"/, '').replace(/"$/, '');
  return ofCall === ofTrace || (text.length >= 20 && ofCall.includes(text.slice(0, 60)));
}
