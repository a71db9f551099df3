import type { EvaluatorTarget, EvaluatorTypeDoc, EvaluatorTypeName, SpanKind } from '../../api/parts.ts';
import type { Evaluator } from '../../api/service.ts';
import { jsonLine } from '../../format/deep-json.ts';
import { formatDuration, formatShare, formatUsd } from '../../format/number-format.ts';

interface TypeLabel {
  title: string;
  hint: string;
}

/** Labels of the evaluator types. */
const typeLabels: Readonly<Partial<Record<EvaluatorTypeName, TypeLabel>>> = {
  exact: { title: 'Exact match', hint: 'Passes if the output equals the expected output. Dataset runs only.' },
  fuzzy: {
    title: 'Fuzzy match',
    hint: 'Scores the similarity of output and expected output, 0 to 1. Dataset runs only.',
  },
  contains: { title: 'Contains', hint: 'Passes if the output contains a text.' },
  regex: { title: 'Regular expression', hint: 'Passes if the output matches a pattern.' },
  json_schema: { title: 'JSON Schema', hint: 'Passes if the output is valid JSON for a schema.' },
  latency: { title: 'Latency', hint: 'Passes if the latency does not exceed a limit.' },
  cost: { title: 'Cost', hint: 'Passes if the cost does not exceed a limit.' },
  llm_judge: { title: 'LLM judge', hint: 'A model scores input and output.' },
};
const typeNames = Object.keys(typeLabels) as EvaluatorTypeName[];

/** The types that the form offers: those with labels here, then the others of the service. */
export function offeredTypes(docs: readonly EvaluatorTypeDoc[], chosen: EvaluatorTypeName): EvaluatorTypeName[] {
  return [...new Set([...typeNames, ...docs.map(({ type }) => type as EvaluatorTypeName), chosen])];
}

/** The label of a type; by default the one of the service, or else its name. */
export function typeLabel(type: EvaluatorTypeName, docs: readonly EvaluatorTypeDoc[] = []): TypeLabel {
  const doc = docs.find((one) => one.type === type);
  return typeLabels[type] ?? { title: doc?.title ?? type, hint: doc?.description ?? 'The configuration is JSON.' };
}

export const targetLabels: Readonly<Record<EvaluatorTarget, { title: string; hint: string }>> = {
  span: { title: 'Spans', hint: 'Each finished span.' },
  trace: {
    title: 'Traces',
    hint: 'Each trace after its root span has finished; without a root, five minutes after its last span arrived.',
  },
  session: { title: 'Sessions', hint: 'Each session after a period of inactivity.' },
};
export const targetNames = Object.keys(targetLabels) as EvaluatorTarget[];

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

/** A short form of the configuration: `≤ 2s`, `/^\{/i`. */
export function configLabel({ type, config }: Pick<Evaluator, 'type' | 'config'>): string {
  switch (type) {
    case 'exact':
      return config['ignoreCase'] === true ? 'ignore case' : '';
    case 'fuzzy':
      return `≥ ${formatShare(Number(config['threshold'] ?? 0.8))} similar`;
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
    default:
      return jsonLine(config);
  }
}

/** A short form of the filter; empty without filters. */
export function filterLabel(filter: Evaluator['filter']): string {
  return Object.entries(filter)
    .filter((entry): entry is [string, string[]] => Array.isArray(entry[1]))
    .map(([field, values]) => `${field}: ${values.join(', ')}`)
    .join(' · ');
}
