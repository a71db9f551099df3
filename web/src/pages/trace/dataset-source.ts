import type { TraceDetail, TraceSpan } from '../../api/service.ts';
import { draftOf, readDraft } from '../../content/value-draft.ts';
import type { ValueDraft } from '../../content/value-draft.ts';

/** The source of a dataset item: a trace, or one of its spans. */
export interface ItemSource {
  traceId: string;
  spanId: string | null;
  input: unknown;
  output: unknown;
}

/** The item source for a span, or for the trace if `span` is null. */
export function itemSource({ trace }: TraceDetail, span: TraceSpan | null): ItemSource {
  return span === null
    ? { traceId: trace.traceId, spanId: null, input: trace.input, output: trace.output }
    : { traceId: trace.traceId, spanId: span.spanId, input: span.input, output: span.output };
}

/** The edited values of an item. */
export interface SourceDraft {
  input: ValueDraft;
  expectedOutput: ValueDraft;
}

/** The draft of an item with the recorded input and output. A failed trace or span has no output, which is no expected one. */
export function sourceDraft({ input, output }: ItemSource): SourceDraft {
  return { input: draftOf(input), expectedOutput: draftOf(output ?? undefined) };
}

const isSame = (one: ValueDraft, other: ValueDraft) => one.form === other.form && one.text === other.text;

/** Whether a draft differs from the initial one. */
export function isEdited(draft: SourceDraft, before: SourceDraft): boolean {
  return !isSame(draft.input, before.input) || !isSame(draft.expectedOutput, before.expectedOutput);
}

/** What is wrong with the fields of a draft. */
export type SourceProblems = Partial<Record<keyof SourceDraft, string>>;

/**
 * The request body for the item. The service reads input and output of the source itself. A field is sent only if it was edited, so
 * that an unchanged one keeps its exact digits.
 *
 * @param before the initial draft
 */
export function sourceBody(
  { traceId, spanId }: ItemSource,
  draft: SourceDraft,
  before: SourceDraft,
): { body: string } | { problems: SourceProblems } {
  const members = [`"source":${JSON.stringify({ traceId, ...(spanId === null ? {} : { spanId }) })}`];
  const problems: SourceProblems = {};
  for (const name of ['input', 'expectedOutput'] as const) {
    if (isSame(draft[name], before[name])) continue;
    const read = readDraft(draft[name]);
    if ('problem' in read) problems[name] = read.problem;
    else if (read.json !== null) members.push(`"${name}":${read.json}`);
  }
  return Object.keys(problems).length > 0 ? { problems } : { body: `{${members.join(',')}}` };
}
