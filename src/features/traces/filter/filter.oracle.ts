import type { FieldTerm, Filter, FilterValue } from '../../../contract/filter/ast.ts';
import type { ScoreRecord, SpanRecord } from '../../records/index.ts';

/** A trace of the tests: its first span is the root. */
export interface OracleTrace {
  traceId: string;
  spans: readonly SpanRecord[];
  scores: readonly ScoreRecord[];
  /** Ids of the spans that have comments, `''` for the trace as a whole. */
  commented: readonly string[];
}

type Value = string | number | boolean | null;

/** Whether a trace meets a filter, decided in JavaScript: the oracle of the SQL. */
export function traceMeets(trace: OracleTrace, filter: Filter): boolean {
  switch (filter.type) {
    case 'all':
      return filter.terms.every((term) => traceMeets(trace, term));
    case 'some':
      return filter.terms.some((term) => traceMeets(trace, term));
    case 'not':
      return !traceMeets(trace, filter.term);
    case 'any':
      return trace.spans.some((span) => spanMeets(trace, span, filter.term));
    case 'none':
      return !trace.spans.some((span) => spanMeets(trace, span, filter.term));
    case 'text':
      return trace.spans.some((span) => spanMeets(trace, span, filter));
    case 'field': {
      const ofSummary = summaryValues(trace, filter.field.name.replace(/^trace\./, ''));
      if (ofSummary) return met(filter, ofSummary);
      if (filter.field.name === 'commented') return commentedMeets(filter, trace.commented.length > 0);
      if (isOfScores(filter)) return trace.scores.some((score) => scoreMeets(filter, score));
      return trace.spans.some((span) => spanMeets(trace, span, filter));
    }
  }
}

/** Whether a span of a trace meets a filter. */
export function spanMeets(trace: OracleTrace, span: SpanRecord, filter: Filter): boolean {
  switch (filter.type) {
    case 'all':
      return filter.terms.every((term) => spanMeets(trace, span, term));
    case 'some':
      return filter.terms.some((term) => spanMeets(trace, span, term));
    case 'not':
      return !spanMeets(trace, span, filter.term);
    case 'any':
    case 'none':
      return traceMeets(trace, filter);
    case 'text':
      return [span.name, span.errorMessage, span.errorCode, span.input, span.output].some((text) => contains(text, filter.text));
    case 'field': {
      const { name } = filter.field;
      if (name.startsWith('trace.')) return met(filter, summaryValues(trace, name.slice('trace.'.length)) ?? []);
      if (name === 'commented') return commentedMeets(filter, trace.commented.includes(span.spanId));
      if (isOfScores(filter)) {
        return trace.scores.some((score) => score.spanId === span.spanId && scoreMeets(filter, score));
      }
      return met(filter, spanValues(trace, span, filter));
    }
  }
}

const isCall = ({ kind }: SpanRecord) => kind === 'llm' || kind === 'embedding';
const durationOf = ({ startNs, endNs }: SpanRecord) => (endNs === null ? null : Number(endNs - startNs) / 1e6);
const sum = (spans: readonly SpanRecord[], read: (span: SpanRecord) => number | null) =>
  spans.reduce((total, span) => total + (read(span) ?? 0), 0);

function levelsAbove(spans: readonly SpanRecord[], span: SpanRecord): number {
  const parent = spans.find(({ spanId }) => spanId === span.parentSpanId);
  return parent ? 1 + levelsAbove(spans, parent) : 0;
}

/** The values of a field of a trace's summary; null for a field that it does not have. */
function summaryValues({ traceId, spans }: OracleTrace, name: string): Value[] | null {
  const [root] = spans;
  const calls = spans.filter(isCall);
  const first = (read: (span: SpanRecord) => string) => [spans.map(read).find((text) => text !== '') ?? ''];
  const values: Readonly<Record<string, () => Value[]>> = {
    trace: () => [traceId],
    name: () => [root?.name ?? ''],
    status: () => [spans.some(({ status }) => status === 'error') ? 'error' : 'ok'],
    model: () => calls.map(({ model }) => model),
    agent: () => spans.map(({ agentName }) => agentName),
    environment: () => first(({ environment }) => environment),
    release: () => first(({ release }) => release),
    session: () => first(({ sessionId }) => sessionId),
    user: () => first(({ userId }) => userId),
    tag: () => spans.flatMap(({ tags }) => tags),
    latency: () => [root ? Math.max(...spans.map(({ endNs }) => Number((endNs ?? root.startNs) - root.startNs))) / 1e6 : null],
    cost: () => [sum(calls, ({ costUsd }) => costUsd)],
    unpriced: () => [calls.some(({ costStatus }) => costStatus === 'unpriced' || costStatus === 'partly_priced')],
    tokens: () => [sum(calls, ({ inputTokens }) => inputTokens) + sum(calls, ({ outputTokens }) => outputTokens)],
    inputTokens: () => [sum(calls, ({ inputTokens }) => inputTokens)],
    started: () => [Number((root?.startNs ?? 0n) / 1_000_000n)],
    spans: () => [spans.length],
    calls: () => [calls.length],
    errors: () => [spans.filter(({ status }) => status === 'error').length],
    depth: () => [Math.max(...spans.map((span) => levelsAbove(spans, span) + 1))],
  };
  return values[name]?.() ?? null;
}

/** The values of a field of a span; `''` and null are absent. */
function spanValues(trace: OracleTrace, span: SpanRecord, { field, path }: FieldTerm): Value[] {
  const orOfTrace = (own: Value[], name: string) =>
    own.every((value) => value === '') ? (summaryValues(trace, name) ?? []) : own;
  const values: Readonly<Record<string, () => Value[]>> = {
    name: () => [span.name],
    status: () => [span.status === 'error' ? 'error' : 'ok'],
    errorCode: () => [span.errorCode],
    error: () => [span.errorMessage],
    model: () => [span.model],
    provider: () => [isCall(span) ? span.provider : ''],
    // Of a root that is an agent, all below take their agent.
    agent: () => [span.agentName || (trace.spans[0]?.agentName ?? '')],
    operation: () => [span.operation],
    kind: () => [span.kind],
    tool: () => [span.kind === 'tool' ? span.toolName || span.name : ''],
    prompt: () => [span.promptName],
    promptVersion: () => [span.promptVersion === '' ? null : Number(span.promptVersion)],
    environment: () => orOfTrace([span.environment], 'environment'),
    release: () => orOfTrace([span.release], 'release'),
    session: () => orOfTrace([span.sessionId], 'session'),
    user: () => orOfTrace([span.userId], 'user'),
    tag: () => orOfTrace([...span.tags], 'tag'),
    latency: () => [durationOf(span)],
    ttft: () => [span.timeToFirstTokenMs],
    cost: () => [span.costUsd],
    unpriced: () => [isCall(span) && span.costStatus !== 'priced'],
    tokens: () => [
      span.inputTokens === null && span.outputTokens === null
        ? null
        : sum([span], (one) => one.inputTokens) + sum([span], (one) => one.outputTokens),
    ],
    inputTokens: () => [span.inputTokens],
    started: () => [Number(span.startNs / 1_000_000n)],
    input: () => [span.input],
    output: () => [span.output],
    trace: () => [span.traceId],
    span: () => [span.spanId],
    source: () => [span.source],
    'metadata.': () => keyed(span.metadata, path),
    'attribute.': () => keyed(span.attributes, path),
  };
  return values[field.name]?.() ?? [];
}

/** A value under a key of JSON: its elements where it is an array, as texts. */
function keyed(json: string, path: readonly string[]): Value[] {
  let value: unknown = json === '' ? {} : JSON.parse(json);
  for (const key of path)
    value = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
  return [value].flat().flatMap((one) => {
    if (one === null || one === undefined) return [];
    return [typeof one === 'string' ? one : JSON.stringify(one)];
  });
}

const isOfScores = ({ field }: FieldTerm) => ['score.', 'passed.', 'label.', 'scored'].includes(field.name);

function scoreMeets(term: FieldTerm, score: ScoreRecord): boolean {
  if (term.field.name === 'scored') return met(term, [score.evaluator]);
  if (score.evaluator !== term.path[0]) return false;
  const value = { 'score.': score.score, 'passed.': score.passed, 'label.': score.label }[term.field.name] ?? null;
  return met(term, [value]);
}

function commentedMeets({ values }: FieldTerm, is: boolean): boolean {
  return values === null ? is : values.some((asked) => asked.type === 'boolean' && asked.value === is);
}

/** Whether one of the values of a field is there, or meets one of the asked ones. */
function met({ field, values }: FieldTerm, found: readonly Value[]): boolean {
  const present = found.filter((value) => value !== null && value !== '');
  if (values === null) return present.length > 0;
  // An empty text is a value that can be asked for.
  return found.some((value) => value !== null && values.some((asked) => valueMeets(asked, value, field.within === true)));
}

function valueMeets(asked: FilterValue, value: string | number | boolean, isWithin: boolean): boolean {
  switch (asked.type) {
    case 'text': {
      const text = String(value);
      if (isWithin) return contains(text, asked.text);
      if (asked.match === 'beginning') return text.startsWith(asked.text);
      if (asked.match === 'end') return text.endsWith(asked.text);
      return asked.match === 'part' ? text.includes(asked.text) : text === asked.text;
    }
    case 'boolean':
      return value === asked.value;
    case 'time':
      return Number(value) >= (asked.range.fromMs ?? -Infinity) && Number(value) < (asked.range.beforeMs ?? Infinity);
    case 'number': {
      const number = typeof value === 'string' && !/^-?\d+(\.\d+)?$/.test(value) ? Number.NaN : Number(value);
      const { from = -Infinity, to = Infinity, isFromOut, isToOut } = asked.range;
      return (isFromOut ? number > from : number >= from) && (isToOut ? number < to : number <= to);
    }
  }
}

function contains(text: string, part: string): boolean {
  const escaped = JSON.stringify(part).slice(1, -1);
  return [part, escaped].some((wanted) => text.toLowerCase().includes(wanted.toLowerCase()));
}
