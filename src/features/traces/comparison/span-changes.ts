import { isDeepStrictEqual } from 'node:util';
import type { ChangedField } from '../../../contract/trace-comparison.ts';
import type { TraceSpan } from '../../../contract/traces.ts';

/** What of a span is compared: its fields as the trace page has them, and digests of what is stored as its input and output. */
export interface ComparedSpan {
  fields: Partial<Pick<TraceSpan, 'status' | 'errorCode' | 'model' | 'usage' | 'costUsd' | 'durationMs' | 'promptVersion'>>;
  /** `''`: it has none. */
  input: string;
  output: string;
}

/** A duration that differs by more than this share of that of `a` is a change. */
const durationShare = 0.2;

const differ =
  (read: (span: ComparedSpan) => unknown) =>
  (a: ComparedSpan, b: ComparedSpan): boolean =>
    !isDeepStrictEqual(read(a), read(b));

const isChanged: Readonly<Record<ChangedField, (a: ComparedSpan, b: ComparedSpan) => boolean>> = {
  // No status is `ok`.
  status: differ(({ fields }) => fields.status ?? 'ok'),
  errorCode: differ(({ fields }) => fields.errorCode ?? null),
  model: differ(({ fields }) => fields.model ?? null),
  input: differ(({ input }) => input),
  output: differ(({ output }) => output),
  usage: differ(({ fields }) => fields.usage ?? null),
  costUsd: differ(({ fields }) => fields.costUsd ?? null),
  durationMs: ({ fields: a }, { fields: b }) => durationDiffers(a.durationMs ?? null, b.durationMs ?? null),
  promptVersion: differ(({ fields }) => fields.promptVersion ?? null),
};

/** The fields in which a span of trace `b` differs from its pair in trace `a` (docs/semantics.md, "Two traces side by side"). */
export function spanChanges(a: ComparedSpan, b: ComparedSpan): ChangedField[] {
  return (Object.keys(isChanged) as ChangedField[]).filter((field) => isChanged[field](a, b));
}

function durationDiffers(a: number | null, b: number | null): boolean {
  if (a === null || b === null) return a !== b;
  return Math.abs(b - a) > durationShare * a;
}
