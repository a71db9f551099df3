import { spanKinds, spanSources } from '../kinds.ts';

/** What a list is of: the fields of a filter depend on it (docs/filter.md). */
export const filterSubjects = ['spans', 'traces'] as const;
export type FilterSubject = (typeof filterSubjects)[number];

export const filterFieldTypes = ['text', 'number', 'duration', 'cost', 'boolean', 'time', 'key'] as const;
export type FilterFieldType = (typeof filterFieldTypes)[number];

export interface FilterField {
  /** A field of type `key` ends with a dot: a key follows. */
  name: string;
  type: FilterFieldType;
  description: string;
  /** The values of a closed set. */
  values?: readonly string[];
  /** A value is searched within the text, ignoring case. */
  within?: true;
  /** The type of the value under the key; without it a value is compared by its text, or as a number. */
  valueType?: 'text' | 'number' | 'boolean';
  /** Fields that describe a trace alone: `trace.<name>` on spans. */
  ofTraces?: true;
}

const text = (name: string, description: string): FilterField => ({ name, type: 'text', description });
const number = (name: string, description: string): FilterField => ({ name, type: 'number', description });
const duration = (name: string, description: string): FilterField => ({ name, type: 'duration', description });
const boolean = (name: string, description: string): FilterField => ({ name, type: 'boolean', description });
const within = (name: string, description: string): FilterField => ({ name, type: 'text', within: true, description });
const oneOf = (name: string, values: readonly string[], description: string): FilterField => ({
  name,
  type: 'text',
  values,
  description,
});

/** The fields that a trace's summary has too: there they are the trace's, and `trace.<name>` stands on spans. */
const summaryFields: readonly FilterField[] = [
  text('name', 'name'),
  oneOf('status', ['ok', 'error'], 'error: it failed; of a trace, one of its spans'),
  text('model', 'model of a call'),
  text('agent', 'name of the agent'),
  text('environment', 'environment'),
  text('release', 'release'),
  text('session', 'session id'),
  text('user', 'user id'),
  text('tag', 'one of the tags'),
  duration('latency', 'from start to end'),
  { name: 'cost', type: 'cost', description: 'US dollars' },
  boolean('unpriced', 'whether the cost of a call is not known, or known in part'),
  number('tokens', 'input and output tokens'),
  number('inputTokens', 'input tokens'),
  number('outputTokens', 'output tokens'),
  number('cachedTokens', 'input tokens from the cache'),
  number('reasoningTokens', 'output tokens of reasoning'),
  { name: 'started', type: 'time', description: 'start' },
];

/** The fields of a trace's summary alone. */
const countFields: readonly FilterField[] = [
  { ...number('spans', 'number of spans'), ofTraces: true },
  { ...number('calls', 'number of calls of models'), ofTraces: true },
  { ...number('errors', 'number of failed spans'), ofTraces: true },
  { ...number('depth', 'levels of its spans: 1 of a root alone'), ofTraces: true },
];

/** The fields that one span has; of a trace one of its spans. */
const spanFields: readonly FilterField[] = [
  text('errorCode', 'error code'),
  within('error', 'text within the error message'),
  text('provider', 'provider of a call'),
  text('operation', 'operation'),
  oneOf('kind', spanKinds, 'kind of the span'),
  text('tool', 'name of a tool'),
  text('service', 'service.name'),
  text('prompt', 'name of the prompt'),
  number('promptVersion', 'version of the prompt'),
  duration('ttft', 'time to the first token'),
  within('input', 'text within the input'),
  within('output', 'text within the output'),
  text('trace', 'trace id'),
  text('span', 'span id'),
  oneOf('source', spanSources, 'where the span comes from, or what it was made for'),
  { name: 'metadata.', type: 'key', description: 'value in the metadata, at any depth' },
  { name: 'attribute.', type: 'key', description: 'value of an attribute' },
];

/** What is told of spans and traces. */
const toldFields: readonly FilterField[] = [
  { name: 'score.', type: 'key', valueType: 'number', description: 'score by an evaluator' },
  { name: 'passed.', type: 'key', valueType: 'boolean', description: 'whether a score by an evaluator has passed' },
  { name: 'label.', type: 'key', valueType: 'text', description: 'label by an evaluator' },
  text('scored', 'evaluator of a score'),
  text('guardrail', 'guardrail that triggered'),
  oneOf('guardrail.action', ['flag', 'redact', 'block'], 'what a check of guardrails did'),
  text('outcome', 'kind of an outcome'),
  boolean('outcome.success', 'success of an outcome'),
  number('outcome.value', 'value of an outcome'),
  boolean('commented', 'whether there is a comment on it; of a trace, or on one of its spans'),
];

const ofTrace: readonly FilterField[] = [...summaryFields, ...countFields].map((field) => ({
  ...field,
  name: `trace.${field.name}`,
  description: `of the trace: ${field.description}`,
  ofTraces: true,
}));

const shared = [...summaryFields, ...spanFields, ...toldFields, ...ofTrace];

/** All fields of a list's filter, in the order in which they are shown. */
export const filterFields: Readonly<Record<FilterSubject, readonly FilterField[]>> = {
  spans: shared,
  traces: [...shared, ...countFields],
};

const comparisons = [':', '>', '>=', '<', '<=', '..', ':*'] as const;
const equality = [':', ':*'] as const;

/** The operators of a field, as they are written; `:*` asks whether the field is there. */
export function operatorsOf({ type, valueType, values, within: isWithin }: FilterField): readonly string[] {
  const compared = valueType ?? type;
  if (compared === 'text') return values === undefined && isWithin === undefined ? [...equality, '*'] : equality;
  return compared === 'boolean' ? equality : comparisons;
}
