import type { EvaluatorRecord, EvaluatorTarget, EvaluatorTypeName, SpanKind } from '../../api/wire.ts';
import { jsonLine } from '../../format/deep-json.ts';
import { formatDuration, formatShare, formatUsd } from '../../format/number-format.ts';

/** What each type does, as people choose it. */
export const typeWords: Readonly<Record<EvaluatorTypeName, { title: string; says: string }>> = {
  exact: { title: 'Exact match', says: 'Passes when the output is the expected output. Runs on dataset runs alone.' },
  fuzzy: {
    title: 'Fuzzy match',
    says: 'Scores how alike the output and the expected output are, 0 to 1. Runs on dataset runs alone.',
  },
  contains: { title: 'Contains', says: 'Passes when a text is in the output.' },
  regex: { title: 'Regular expression', says: 'Passes when a pattern is found in the output.' },
  json_schema: { title: 'JSON Schema', says: 'Passes when the output is JSON that fits a schema.' },
  latency: { title: 'Latency', says: 'Passes when it took no longer than a limit.' },
  cost: { title: 'Cost', says: 'Passes when it cost no more than a limit.' },
  llm_judge: { title: 'LLM judge', says: 'Has a model read input and output and give a score.' },
};
export const typeNames = Object.keys(typeWords) as EvaluatorTypeName[];

export const targetWords: Readonly<Record<EvaluatorTarget, { title: string; says: string }>> = {
  span: { title: 'Spans', says: 'Each finished span, with its own input and output.' },
  trace: { title: 'Traces', says: 'Each trace whose root span has finished.' },
  session: { title: 'Sessions', says: 'Each session that has been silent for a while.' },
};
export const targetNames = Object.keys(targetWords) as EvaluatorTarget[];

export const kindNames: readonly SpanKind[] = [
  'llm',
  'embedding',
  'agent',
  'tool',
  'retriever',
  'chain',
  'guardrail',
  'evaluator',
  'span',
];

const text = (value: unknown): string => (typeof value === 'string' ? value : jsonLine(value));

/** The configuration in a few words: `≤ 2 s`, `/^\{/i`. */
export function configInWords({ type, config }: Pick<EvaluatorRecord, 'type' | 'config'>): string {
  switch (type) {
    case 'exact':
      return config['ignoreCase'] === true ? 'in either case' : '';
    case 'fuzzy':
      return `from ${formatShare(Number(config['threshold'] ?? 0.8))} alike`;
    case 'contains':
      return `“${text(config['value'])}”`;
    case 'regex':
      return `/${text(config['pattern'])}/${typeof config['flags'] === 'string' ? config['flags'] : ''}`;
    case 'json_schema':
      return '';
    case 'latency':
      return `≤ ${formatDuration(Number(config['maxMs']))}`;
    case 'cost':
      return `≤ ${formatUsd(Number(config['maxUsd']))}`;
    case 'llm_judge':
      return text(config['model']);
  }
}

/** The filter in a few words; empty when everything is looked at. */
export function filterInWords(filter: EvaluatorRecord['filter']): string {
  return Object.entries(filter)
    .filter((entry): entry is [string, string[]] => Array.isArray(entry[1]))
    .map(([field, values]) => `${field}: ${values.join(', ')}`)
    .join(' · ');
}
