import type { WholeOutline } from '../../api/parts.ts';

/**
 * The call that a trace opens with: the one whose output is the trace's, else the first call, else the first failed span, else the first span.
 * Pure function.
 */
export function firstSpan({
  trace,
  spans,
}: Pick<WholeOutline, 'spans'> & { trace: Pick<WholeOutline['trace'], 'outputFrom' | 'outputPreview'> }): string | null {
  const calls = spans.filter(({ kind }) => kind === 'llm' || kind === 'embedding');
  const output = trace.outputPreview;
  const found =
    calls.find(({ spanId }) => spanId === trace.outputFrom) ??
    (output === null ? undefined : calls.findLast(({ outputPreview }) => isSame(outputPreview, output))) ??
    calls[0] ??
    spans.find(({ status }) => status === 'error') ??
    spans[0];
  return found?.spanId ?? null;
}

/** A root that returns the text of a message has it in quotes, where the call has the message. */
function isSame(ofCall: string | null, ofTrace: string): boolean {
  if (ofCall === null) return false;
  const text = ofTrace.replace(/^"/, '').replace(/"$/, '');
  return ofCall === ofTrace || (text.length >= 20 && ofCall.includes(text.slice(0, 60)));
}
