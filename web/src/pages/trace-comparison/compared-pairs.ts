import type { OutlinedSpan, TraceComparison } from '../../api/service.ts';
import { jsonText } from '../../content/json-text.ts';

export type ComparedRow = TraceComparison['rows'][number];

/** A row of the comparison with its number, from 1. */
export interface ComparedPair extends ComparedRow {
  number: number;
}

/** Names of the compared fields. */
export const changeLabels: Readonly<Record<ComparedRow['changes'][number], string>> = {
  status: 'status',
  errorCode: 'error code',
  model: 'model',
  input: 'input',
  output: 'output',
  usage: 'tokens',
  costUsd: 'cost',
  durationMs: 'duration',
  promptVersion: 'prompt version',
};

/** The rows with their numbers. */
export function pairsOf({ rows }: Pick<TraceComparison, 'rows'>): ComparedPair[] {
  return rows.map((row, index) => ({ ...row, number: index + 1 }));
}

/** The nearest pair that differs, after or before a pair; null without one. @param from its number; 0: the first or last of all */
export function differenceFrom(pairs: readonly ComparedPair[], from: number, step: 1 | -1): ComparedPair | null {
  const differing = pairs.filter(({ match }) => match !== 'same');
  if (step === 1) return differing.find(({ number }) => number > from) ?? null;
  return differing.findLast(({ number }) => from === 0 || number < from) ?? null;
}

/**
 * The text of an input or output for a comparison by lines: a text itself, else indented JSON in which line breaks of texts are line breaks, so that a change in
 * a long text is one of some lines.
 */
export function comparedText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  return jsonText(value).replaceAll(/\\(?:n|\\)/g, (escape) => (escape === String.raw`\n` ? '\n' : escape));
}

/** The share by which a figure of b differs from that of a; null where there is none. */
export function shareOfChange(a: number | null | undefined, b: number | null | undefined): number | null {
  if (a === null || a === undefined || b === null || b === undefined || a === 0) return null;
  return (b - a) / a;
}

/** All tokens of a span; null where it has none. */
export function tokensOf({ usage }: Pick<OutlinedSpan, 'usage'>): number | null {
  if (usage === null || usage === undefined) return null;
  return (usage.inputTokens ?? 0) + (usage.outputTokens ?? 0);
}
